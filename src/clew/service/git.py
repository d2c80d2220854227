"""How git is asked, for the surfaces that ask it themselves: one way for every repository, whoever it comes from."""

from __future__ import annotations

from clew.project import GIT_SAFE, git_environment, git_program

__all__ = ["GIT_SAFE", "git_environment", "git_program"]
