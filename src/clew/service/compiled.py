"""What the compiler answers as plain values for JSON: surfaces see the service, and this is its door to the shapes they share."""

from clew.compiler.answer import explained_response, full_response, slim_response

__all__ = ["explained_response", "full_response", "slim_response"]
