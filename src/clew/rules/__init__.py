"""Pure rules: arguments in, a value out."""
