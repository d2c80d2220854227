"""The context compiler: a pure function from a request to a compiled context; no model, clock, disk or randomness."""
