"""The command line for people: click commands over one Clew, tables and colour on a terminal, plain text when piped."""
