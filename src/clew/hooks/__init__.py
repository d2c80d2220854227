"""The hooks' surface: what a client calls on every event. It answers in time or says nothing, and never breaks the agent."""
