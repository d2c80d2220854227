"""What redaction takes out, what it leaves alone, and that it stays cheap and settled on hostile text.

Every sample is put together from parts: no complete secret-looking literal stands in this file.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.rules import redact as redacting
from clew.rules.redact import FORMATS, NAMES, outside, redact

HEX = "3f9a1c7e5b2d8046" * 12
MIX = "aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY0zC" * 8
UPPER = "Q7ZP2RY3X4GF5TVDW6S3JN" * 8
LINE = MIX[:64]


def cut(text: str) -> str:
    """`text` without the bars that keep it from looking like a secret in this file."""
    return text.replace("|", "")


def pem(kind: str) -> str:
    return cut(f"-----BE|GIN {kind}PRI|VATE KEY-----\n{LINE}\n{LINE}\nabc=\n-----E|ND {kind}PRI|VATE KEY-----")


UUID = f"{HEX[:8]}-{HEX[:4]}-{HEX[4:8]}-{HEX[8:12]}-{HEX[:12]}"
PGP = cut(f"-----BE|GIN PGP PRI|VATE KEY BLOCK-----\nVersion: a-b\n\n{LINE}\n=aB3d\n-----E|ND PGP PRI|VATE KEY BLOCK-----")
JWT = cut(f"ey|J{MIX[:20]}.ey|J{MIX[:40]}.{MIX[:43]}")
DISCORD = cut(f"M|T{MIX[:22]}.{MIX[:6]}.{MIX[:30]}")

# name, the text before the secret, the secret, the text after it, a near miss that must survive whole
SAMPLES: tuple[tuple[str, str, str, str, str], ...] = (
    ("anthropic-key", "use ", cut(f"sk-|ant-api03-{MIX[:80]}"), " here", "the sk-ant- prefix"),
    ("openrouter-key", "", cut(f"sk-|or-v1-{HEX[:64]}"), ".", "sk-or-something"),
    ("openai-key", "(", cut(f"sk-|proj-{MIX[:60]}"), ")", "task-" + MIX[:24]),
    ("openai-key", "", cut(f"sk|-{MIX[:48]}"), "", "sk-learn-compatible-estimator-interface"),
    ("aws-key", "id ", cut("AK|IA" + UPPER[:16]), ", then", "AKIA is the prefix; XAKIA" + UPPER[:16]),
    ("github-token", "git ", cut(f"gh|p_{MIX[:36]}"), "\n", "ghp_short"),
    ("github-token", "git ", cut(f"gh|s_{MIX[:36]}"), "", "ghs_" + MIX[:20]),
    ("github-pat", "", cut(f"github|_pat_{MIX[:22]}_{MIX[:59]}"), "", "github_pat_tokens are scoped"),
    ("gitlab-token", "", cut(f"gl|pat-{MIX[:20]}"), " ok", "glpat-abc"),
    ("gitlab-token", "", cut(f"gl|rt-{MIX[:20]}"), "", "gldt-x"),
    ("slack-token", "", cut(f"xo|xb-1234567890-{MIX[:24]}"), "", "xoxb- tokens"),
    ("slack-app-token", "", cut(f"xa|pp-1-A0-{MIX[:40]}"), "", "xapp-level"),
    ("stripe-key", "", cut(f"sk|_live_{MIX[:24]}"), "", "sk_live_mode"),
    ("stripe-key", "", cut(f"rk|_live_{MIX[:24]}"), "", "risk_live_" + MIX[:24]),
    ("webhook-secret", "", cut(f"wh|sec_{MIX[:32]}"), "", "whsec_ prefix"),
    ("google-key", "", cut(f"AI|za{MIX[:35]}"), "&x", "AIza" + MIX[:20]),
    ("google-oauth-secret", "", cut(f"GO|CSPX-{MIX[:28]}"), "", "GOCSPX-short"),
    ("google-oauth-token", "", cut(f"ya|29.{MIX[:60]}"), "", "ya29.x"),
    ("npm-token", "", cut(f"np|m_{MIX[:36]}"), "", "npm_config_registry npm_lifecycle_event"),
    ("pypi-token", "", cut(f"py|pi-AgEIcHlwaS5vcmc{MIX[:70]}"), "", "pypi-AgEnt"),
    ("rubygems-key", "", cut(f"ruby|gems_{HEX[:48]}"), "", "rubygems_" + HEX[:20]),
    ("docker-token", "", cut(f"dck|r_pat_{MIX[:27]}"), "", "dckr_pat_x"),
    ("huggingface-token", "", cut(f"h|f_{MIX[:34]}"), "", "hf_hub_download half_" + MIX[:34]),
    ("groq-key", "", cut(f"gs|k_{MIX[:52]}"), "", "gsk_test"),
    ("xai-key", "", cut(f"xa|i-{MIX[:80]}"), "", "xai-grok"),
    ("perplexity-key", "", cut(f"pp|lx-{MIX[:48]}"), "", "pplx-70b-online"),
    ("replicate-token", "", cut(f"r|8_{MIX[:37]}"), "", "r8_" + MIX[:20]),
    ("digitalocean-token", "", cut(f"do|p_v1_{HEX[:64]}"), "", "dop_v1_" + HEX[:40]),
    ("heroku-token", "", cut(f"HR|KU-AA{MIX[:58]}"), "", "HRKU-x"),
    ("twilio-key", "", cut(f"S|K{HEX[:32]}"), "", "DISK" + HEX[:32]),
    ("sendgrid-key", "", cut(f"S|G.{MIX[:22]}.{MIX[:43]}"), "", "SG.prefix.name"),
    ("brevo-key", "", cut(f"xkey|sib-{HEX[:64]}-{MIX[:16]}"), "", "xkeysib-" + HEX[:64]),
    ("mailgun-key", "", cut(f"ke|y-{HEX[:32]}"), "", "monkey-" + HEX[:32]),
    ("shopify-token", "", cut(f"sh|pat_{HEX[:32]}"), "", "shpat_" + HEX[:12]),
    ("square-token", "", cut(f"sq0|atp-{MIX[:22]}"), "", "sq0atp-x"),
    ("linear-key", "", cut(f"lin|_api_{MIX[:40]}"), "", "lin_api_version"),
    ("notion-token", "", cut(f"nt|n_{MIX[:46]}"), "", "secret_manager"),
    ("atlassian-token", "", cut(f"ATA|TT3{MIX[:180]}"), "", "ATATT3" + MIX[:20]),
    ("databricks-token", "", cut(f"da|pi{HEX[:32]}"), "", "dapiKey " + HEX[:32]),
    ("newrelic-key", "", cut(f"NR|AK-{UPPER[:27]}"), "", "NRAK-X"),
    ("grafana-token", "", cut(f"gl|sa_{MIX[:32]}_{HEX[:8]}"), "", "glsa_x"),
    ("sentry-token", "", cut(f"sntr|yu_{HEX[:64]}"), "", "sntryu_x"),
    ("vault-token", "", cut(f"hv|s.{MIX[:90]}"), "", "hvs.client"),
    ("doppler-token", "", cut(f"dp|.pt.{MIX[:43]}"), "", "udp.pt.x"),
    ("age-key", "", cut(f"AGE-SEC|RET-KEY-1{UPPER[:58]}"), "", "AGE-SECRET-KEY-1 is bech32"),
    ("supabase-key", "", cut(f"sb|p_{HEX[:40]}"), "", "sbp_x"),
    ("planetscale-token", "", cut(f"psc|ale_tkn_{MIX[:43]}"), "", "pscale_branch"),
    ("postman-key", "", cut(f"PM|AK-{HEX[:24]}-{HEX[:34]}"), "", "PMAK-" + HEX[:24]),
    ("figma-token", "", cut(f"fi|gd_{MIX[:40]}"), "", "figd_x"),
    ("tailscale-key", "", cut(f"ts|key-auth-{MIX[:30]}"), "", "tskey-auth"),
    ("pulumi-token", "", cut(f"pu|l-{HEX[:40]}"), "", "pul-" + HEX[:12]),
    ("fly-token", "", cut(f"fm|2_{MIX[:80]}"), "", "fm2_x"),
    ("netlify-token", "", cut(f"nf|p_{MIX[:36]}"), "", "nfp_x"),
    ("sonar-token", "", cut(f"sq|u_{HEX[:40]}"), "", "squ_x"),
    ("onepassword-token", "", cut(f"op|s_eyJ{MIX[:140]}"), "", "ops_eyJx"),
    ("alibaba-key", "", cut(f"LT|AI{MIX[:20]}"), "", "LTAI5"),
    ("gcp-service-account", '{"private|_key": "'.replace("|", ""), pem("").replace("\n", "\\n"), '"}', '{"private_key": "see vault"}'),
    ("private-key", "key:\n", pem("RSA "), "\nend", cut("files start with -----BE|GIN RSA PRI|VATE KEY----- and so on")),
    ("private-key", "", pem("OPENSSH "), "", cut("-----BE|GIN PUBLIC KEY-----\n" + LINE + "\n-----E|ND PUBLIC KEY-----")),
    ("private-key", "", PGP, "\n", cut("-----BE|GIN CERTIFICATE-----\n" + LINE + "\n-----E|ND CERTIFICATE-----")),
    ("private-key", "cut: ", pem("EC ")[:160], "", "PRIVATE KEY files stay out"),
    ("putty-key", "Private-Lines: 2\n", f"{LINE}\n{LINE}", "\nPrivate-MAC: x", "Private-Lines: none"),
    ("jwt", "saw ", JWT, " there", "eyJhbGci.only.one"),
    (
        "slack-webhook",
        "https://hooks.slack.com/services/",
        f"T{UPPER[:8]}/B{UPPER[:8]}/{MIX[:24]}",
        "",
        "https://hooks.slack.com/services/T0/x",
    ),
    ("discord-webhook", "https://discord.com/api/webhooks/123456789012345678/", MIX[:68], "", "/api/webhooks/123456789012345678/edit"),
    ("discord-token", "run(", DISCORD, ")", "MTools.format.documentation_of_the_module_itself"),
    ("telegram-token", "", cut(f"123456789:|A{MIX[:34]}"), "", "12:Am 123456789:A" + MIX[:12]),
    ("terraform-token", "", cut(f"{MIX[:14]}.atlas|v1.{MIX[:67]}"), "", "x.atlasv1.y"),
    ("mailchimp-key", "", cut(f"{HEX[:32]}-u|s12"), "", HEX[:30] + "-us1 well-used"),
    ("airtable-token", "", cut(f"pa|t{MIX[:14]}.{HEX[:64]}"), "", "pattern.pat"),
    ("azure-client-secret", "", cut(f"{MIX[:3]}8|Q~{MIX[:34]}"), "", "Q~A"),
    ("azure-storage-key", "AccountName=a;Account" + "Key=", MIX[:86] + "==", ";End", "AccountKey=UseDevelopmentStorage"),
    ("azure-sas", "?sv=1&si" + "g=", MIX[:43] + "%3D", "&se=2", "?sig=abc"),
    ("aws-secret", "aws_secret_access_key = ", MIX[:18] + "/" + MIX[:21], "\n", "aws_secret_access_key = see the vault"),
    ("sentry-dsn", "https://", HEX[:32], "@o1.ingest.sentry.io/42", f"https://{HEX[:12]}@o1.ingest.sentry.io/42"),
    ("twilio-auth", "TWILIO_AUTH_TOKEN=", HEX[:32], "", "twilio digest " + HEX[:40]),
    ("heroku-key", "HEROKU_API_KEY=", UUID, "", "heroku run " + HEX[:12]),
    ("datadog-key", "DD_API_KEY=", HEX[:32], "", "datadog agent at " + HEX[:40] + HEX[:24]),
    ("pagerduty-key", "PAGERDUTY_KEY: ", cut("u+|") + MIX[:18], "", "pagerduty escalation-policies-api"),
    ("npmrc-auth", "//host/:_auth" + "Token=", UUID, "\n", "//host/:_authToken=${NPM_TOKEN}"),
    ("netrc-password", "machine h login me password ", "tr0ub4dor", "\n", "machine h login me password <password>"),
    ("bearer-token", "Authorization: Bearer ", MIX[:32], "", "bearer authentication-required-by-policy"),
    ("authorization", "Authorization: Basic ", MIX[:24] + "==", "", "Authorization: Basic <credentials>"),
    ("cookie", "Cookie: a=1; sessionid=", MIX[:32] + "; b=2", "\nHost: x", "Cookie: theme=dark; lang=en"),
    ("connection-string", "postgres://me:", "p4ss@word", "@db.host:5432/app", "postgres://user:password@localhost/db"),
    ("connection-string", "redis://:", "s3cretive", "@cache:6379/0", "redis://cache:6379/0"),
    ("connection-string", "mongodb+srv://u:", "hunter2", "@c.net/x", "mongodb://u:${PW}@c.net/x"),
    ("url-password", "https://me:", "hunter2", "@host/path", "https://host:8080/@scope/name"),
    ("url-token", "https://", MIX[:30], "@host/repo.git", "https://git@host/repo.git"),
    ("curl-password", "curl -u me:", "hunter2", " https://h", "curl -u me https://h"),
    ("flag-secret", "tool --db-password ", "hunter2", " run", "tool --password prompt"),
    ("env-secret", "export DB_PASS=", "p@ss,w0rd;x", "\nA=1", "DB_PASS=$(pass show db)"),
    ("assigned-secret", 'api_key: "', MIX[:24], '"', 'api_key=os.environ["X"]'),
    ("assigned-secret", "const apiKey: string = '", MIX[:24], "';", "apiKey: string = config.apiKeyOfService2"),
    ("assigned-secret", '{"password": "', "hunter2", '"}', '"password": "Enter your 2nd password"'),
    ("assigned-secret", '{\\"client_secret\\": \\"', "s3cr3t-v4lue", '\\"}', 'secret: "my-app-secret-1"'),
    ("assigned-secret", "password = '", "correcthorsebattery", "'", "password = correcthorsebattery"),
)

SURVIVORS = (
    "password=None",
    "password: str",
    "def login(user: str, password: str | None = None) -> Token:",
    "token = get_token()",
    "token = r.Header.Get(name2)",
    "secret=<your secret>",
    "password=changeme",
    "password: ${DB_PASSWORD_2}",
    "api_key = {{ vault_api_key_2024_production }}",
    "API_KEY=your-api-key-1234567890",
    "password=********",
    "max_tokens: 128000, token_count = 4096",
    "token: https://example.org/oauth2/token/v2",
    "secret: /run/secrets/db_password_2",
    "secrets live in src/clew/rules/secrets.py: see tests/rules/test_redact2.py",
    f"commit {HEX[:40]} by me",
    f"sha256:{HEX[:64]} of the image",
    f"session {UUID} was resumed",
    "/usr/lib/python3.11/site-packages/hypothesis/strategies/_internal/core.py:1423",
    "class='btn btn-primary text-sm md:hover:bg-blue-500/75'",
    "the token is passed as a header and the secret is kept by the caller",
    "Bearer tokens expire; basic auth is off",
    "docker run --user 1000:1000 image",
    "git@github.com:someone/some-repository-name.git",
    "‹quoted› and a stray </private> tag",
    "",
)


@pytest.mark.parametrize(("name", "before", "secret", "after", "near"), SAMPLES, ids=[s[0] for s in SAMPLES])
def test_a_secret_is_replaced_and_what_surrounds_it_stays(name: str, before: str, secret: str, after: str, near: str) -> None:
    assert redact(before + secret + after) == (f"{before}‹redacted:{name}›{after}", (name,))


@pytest.mark.parametrize("text", [*(s[4] for s in SAMPLES), *SURVIVORS])
def test_text_without_a_secret_is_not_touched(text: str) -> None:
    answer = redact(text)
    assert answer.text is text
    assert answer.found == ()


def test_every_format_has_a_hit_and_a_near_miss_and_there_are_at_least_forty() -> None:
    assert len(FORMATS) >= 40
    assert len(set(NAMES)) == len(NAMES) == len(FORMATS) + 1
    assert {s[0] for s in SAMPLES} == {f.name for f in FORMATS}
    assert all(s[4] for s in SAMPLES)


def test_a_text_that_holds_every_literal_wakes_every_format() -> None:
    exact = {(literal, rank) for literals in redacting._EXACT.values() for literal, rank in literals}
    assert exact == {(literal, rank) for rank, f in enumerate(FORMATS, 1) if not f.fold for literal in f.literals}
    assert all(sign in literal for sign, literals in redacting._EXACT.items() for literal, _ in literals)


def test_near_misses_come_close_enough_to_wake_their_pattern_or_hold_its_words() -> None:
    awake = {
        name for name, _, _, _, near in SAMPLES for f in FORMATS if f.name == name and any(w in near + near.lower() for w in f.literals)
    }
    assert awake == {f.name for f in FORMATS}


def test_names_come_once_each_in_order_of_appearance() -> None:
    github, aws = cut(f"gh|p_{MIX[:36]}"), cut("AK|IA" + UPPER[:16])
    assert redact(f"{github} {aws} {github}").found == ("github-token", "aws-key")


def test_the_telling_format_names_a_value_that_two_formats_see() -> None:
    assert redact(cut(f"TOKEN=gh|p_{MIX[:36]}")).text == "TOKEN=‹redacted:github-token›"


def test_a_quote_mark_that_looks_like_a_marker_hides_nothing() -> None:
    assert redact(cut(f"‹gh|p_{MIX[:36]}›")).text == "‹‹redacted:github-token››"


def test_letters_that_change_length_in_lower_case_shift_nothing() -> None:
    assert redact("İİ Password='hunter2' İ").text == "İİ Password='‹redacted:assigned-secret›' İ"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <private>b</private> c", "a ‹redacted:private› c"),
        ("a <PRIVATE>b\nb</Private> c", "a ‹redacted:private› c"),
        ("a <private>b <private>c</private> d</private> e", "a ‹redacted:private› e"),
        ("a <private>b\nand all that follows", "a ‹redacted:private›"),
        ('a <private reason="x">b</private >c', "a ‹redacted:private›c"),
        ("<private>a</private><private>b</private>", "‹redacted:private›‹redacted:private›"),
        ("<private>password='hunter2'</private>", "‹redacted:private›"),
        ("a <privateer> sails", "a <privateer> sails"),
    ],
)
def test_private_spans_are_removed_whole(text: str, expected: str) -> None:
    assert redact(text).text == expected


def test_private_is_named_once() -> None:
    assert redact("<private>a</private> <private>b</private>").found == ("private",)


PIECES = st.one_of(
    st.sampled_from([part for s in SAMPLES for part in s[1:4]]),
    st.sampled_from(
        [f"‹redacted:{n}›" for n in NAMES[:3]] + ["‹redacted:", "›", "‹", "<private>", "</private>", "\n", " ", "=", '"', "a", "_", "-"]
    ),
    st.text(max_size=8),
)


@settings(max_examples=600, deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join))
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once.text) == (once.text, ())


@given(st.text(alphabet="abc XYZ.,;:=-_/\n'\"0", max_size=80))
def test_the_names_found_are_the_names_written(text: str) -> None:
    answer = redact(f"{text}\n" + cut(f"gh|p_{MIX[:36]}"))
    assert set(re.findall(r"‹redacted:([a-z0-9-]+)›", answer.text)) == set(answer.found)
    assert "github-token" in answer.found


@pytest.mark.parametrize("name", sorted({f.name for f in FORMATS}))
def test_every_repeat_is_possessive_or_bounded_so_that_the_search_stays_linear(name: str) -> None:
    pattern = next(f.pattern for f in FORMATS if f.name == name)
    bare = re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "x", pattern)
    assert not re.findall(r"[*+](?![+])(?<![*+}]\+)|\{\d+,\}(?!\+)", bare)
    assert all(int(high) <= 400 for high in re.findall(r"\{\d+,(\d+)\}", bare))


@pytest.mark.parametrize("character", ["a", "A", "0", "-", "_", " ", "\n", ".", "/", ":", "=", "\\", '"', "<", "‹", "›"])
def test_a_mebibyte_of_one_character_is_left_alone(character: str) -> None:
    text = character * (1 << 20)
    assert redact(text).text is text


@pytest.mark.parametrize("name", sorted({f.name for f in FORMATS}))
def test_a_format_started_over_and_over_and_never_finished_is_searched_to_the_end(name: str) -> None:
    before, secret = next((s[1], s[2]) for s in SAMPLES if s[0] == name)
    opening = before + secret[: max(4, len(secret) // 3)] + "-"
    tail = cut(f" gh|p_{MIX[:36]}")
    assert redact(opening * (200_000 // len(opening)) + tail).text.endswith("‹redacted:github-token›")


def test_an_endless_run_of_openings_of_private_and_of_keys_is_one_span_or_none() -> None:
    assert redact("<private>" * 100_000).text == "‹redacted:private›"
    text = cut("-----BE|GIN PRI|VATE KEY-----") * 30_000
    assert redact(text).text is text


@pytest.mark.parametrize(
    "private", [pem("RSA "), PGP, "<PRIVATE>the <private>inner</private> plan\n</PRIVATE>", f"Private-Lines: 2\n{LINE}\n{LINE}"]
)
def test_an_end_that_would_begin_within_what_is_private_begins_behind_it(private: str) -> None:
    text = f"before\n{private}\n… after"
    behind = len("before\n") + len(private)
    inside = range(len("before\n") + 1, behind)
    assert {outside(text, at) for at in inside} == {behind}
    assert [outside(text, at) for at in (0, 6, behind, len(text))] == [0, 6, behind, len(text)]


def test_an_end_within_a_span_that_is_never_closed_is_nothing() -> None:
    text = "before <private> this and " + "that " * 90
    assert outside(text, 40) == len(text)
    assert outside(text, 3) == 3


def test_the_documentation_lists_exactly_the_formats_of_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "redaction.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \|$", page, re.MULTILINE)
    assert rows == [("private", "a `<private>` span"), *((f.name, f.about) for f in FORMATS)]
