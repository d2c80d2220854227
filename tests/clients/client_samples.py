"""Settings files as people have them: by name, with comments, odd spacing, other line ends, hooks of others, older installs of ours."""

PLAIN = """{
  "model": "opus",
  "permissions": {
    "allow": ["Bash(git log:*)", "Read(~/notes/**)"],
    "deny": []
  },
  "includeCoAuthoredBy": false
}
"""

COMMENTED = """// my settings, please do not sort
{
    /* the loud one */ "model" : "opus",   // because
    "env": { "FOO": "a // b", "PATH_X": "C:\\\\x", },

    // "hooks": {},
    "statusLine": {"type": "command", "command": "~/.claude/line.sh"},   // last, with a comma
}
// the end
"""

FOREIGN = """{
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Edit|Write",
        "hooks": [
          {"type": "command", "command": "prettier --write", "timeout": 30},
          { "type": "command", "command": "~/bin/clewless hook claude Stop" }
        ]
      }
    ],
    "Stop": [],
    "Notification": [{"hooks": [{"type": "command", "command": "say done"}]}]
  },
  "enabledPlugins": {"other@market": true, "clew@market": false}
}"""

OLDER = """{
  "hooks": {
    "SessionStart": [
      {
        "matcher": "startup|resume",
        "hooks": [
          {
            "type": "command",
            "command": "/old/place/clew hook claude SessionStart",
            "timeout": 3
          }
        ]
      }
    ],
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}, {"type": "command", "command": "'/my tools/clew' hook claude Stop"}]},
      {"hooks": [{"type": "command", "command": "clew hook claude Stop"}]}
    ],
    "PostCompact": [
      {"hooks": [{"type": "command", "command": "python3 -m clew hook claude PostCompact"}]}
    ],
    "SessionEnd": [
      {"hooks": [{"type": "command", "command": "clew", "args": ["hook", "claude", "SessionEnd"], "timeout": 5}]}
    ]
  }
}
"""

SAMPLES = {
    "plain": PLAIN,
    "four spaces": PLAIN.replace("  ", "    "),
    "tabs": PLAIN.replace("  ", "\t"),
    "windows": PLAIN.replace("\n", "\r\n"),
    "no final newline": PLAIN.rstrip("\n"),
    "minified": '{"model":"opus","hooks":{},"env":{"A":"1"}}',
    "one line": '{ "model": "opus", "hooks": { "Stop": [ ] } }',
    "byte order mark": "\ufeff" + PLAIN,
    "escapes": '{\n  "caf\\u00e9": "\\ud83d\\ude00 \\/ \\ud800",\n  "hooks":{ }\n}\n',
    "empty object": "{}",
    "spread empty object": "{\n\n}\n",
    "empty": "",
    "only white space": "\n\n",
    "empty hooks": '{\n  "hooks": {\n  },\n  "x": 1\n}\n',
    "commented": COMMENTED,
    "commented windows": COMMENTED.replace("\n", "\r\n"),
    "foreign hooks": FOREIGN,
}

CODEX = {
    "plain": 'model = "gpt-5"\napproval_policy = "on-request"\n\n[mcp_servers.other]\ncommand = "npx"\nargs = ["-y", "thing"] # theirs\n',
    "tables after": '[mcp_servers.other]\ncommand = "npx"\n\n[projects."/home/me/x"]\ntrust_level = "trusted"\n',
    "windows": '# mine\r\nmodel = "gpt-5"\r\n\r\n[tui]\r\nnotifications = true\r\n',
    "no final newline": 'model = "gpt-5"',
    "trailing lines": 'model = "gpt-5"\n\n\n# the end\n\n',
    "explicit table": "[mcp_servers]\n[mcp_servers.other]\ncommand='x'\n",
    "dotted": 'mcp_servers.other.command = "x"\n[tui]\nx = 1\n',
    "odd text": 'x = """\n[mcp_servers.clew]\ncommand = "clew"\n"""\n',
    "tables in between": "[[list]]\n[mcp_servers.other]\n[[list]]\nx = 1\n",
    "empty": "",
    "byte order mark": '\ufeffmodel = "gpt-5"\n',
}
