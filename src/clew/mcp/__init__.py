"""The MCP server over stdio: a pure protocol engine, the tools over one Clew, and a thin loop. Standard library only (docs/mcp.md)."""
