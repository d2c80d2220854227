"""Writing clew into the settings of agent programs, and out of them again."""
