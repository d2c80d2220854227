"""Where memories are kept: one promise (`base.Store`), one dialect a backend."""
