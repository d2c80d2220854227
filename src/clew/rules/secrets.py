"""The table of secret formats: what each is called, the literals that betray it, and the pattern that finds it.

Three rules keep the search linear and redaction idempotent, and a new row must follow them:
a repeat is bounded or possessive; a class that ends a value leaves out ‹ and ›; a look-around reads one character.
A literal stands in everything its pattern can match, so text without the literal needs no pattern at all.
Where a pattern has a group, only the group is the secret; what surrounds it stays readable.
"""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple
else:
    from clew.model import NamedTuple


class Format(NamedTuple):
    """One row. `fold` ignores case (literals and pattern are then lower case); `check(before, value)` has the last word."""

    name: str
    about: str
    literals: tuple[str, ...]
    pattern: str
    fold: bool = False
    check: Callable[[str, str], bool] | None = None


_WORDS = frozenset(
    "password passwd passphrase pass secret token changeme change-me change_me example sample dummy placeholder redacted"
    " postgres root admin user guest test hunter none null nil true false undefined string".split()
)
_PLACEHOLDER = r"(?is)[$%@!&*#]?[{(<\[].*|\$\w+|%\w+%|(.)\1*|(?:your|insert|enter|replace|example|dummy|changeme)[-_ .].*|change_?me\d*"
_CODE = r"[A-Za-z_$][\w$]*+(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*+)++"
_PATH = r"(?s)(?:~|\.{0,2})/.*|[A-Za-z]:\\.*|[\w.@-]++(?:/[\w.@-]++)*/[\w@-]++\.\w{1,5}|[a-z]++://.*"
_NAME = r"[A-Za-z]++(?:[_-][A-Za-z]++)*+(?:[_-]v?\d{1,2})?"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of this table, compiled when first needed: compiling all of them would cost every hook more than its work."""
    return re.compile(pattern, re.ASCII | re.MULTILINE)


def is_filled_in(before: str, value: str) -> bool:
    """Whether `value` is an actual value: not a template such as `${PW}` or `<password>`, not a word that stands for one."""
    return value.lower() not in _WORDS and not compiled(_PLACEHOLDER).fullmatch(value)


def is_credential(before: str, value: str) -> bool:
    """Whether a value assigned to a secret-looking key is a secret rather than code, a path, a type or a name.

    `before` is the matched text up to the value. Passwords are chosen by people: seven characters with a digit, or
    twelve quoted letters. Keys and tokens are drawn by machines: sixteen characters with letters and digits.
    """
    if not is_filled_in(before, value) or compiled(_CODE).fullmatch(value) or compiled(_PATH).fullmatch(value) or "$(" in value:
        return False
    key = before.lower()
    by_people = "pass" in key or "pwd" in key or "secret" in key
    digits = any(c.isdigit() for c in value)
    letters = any(c.isalpha() for c in value)
    if compiled(_NAME).fullmatch(value) and (not digits or "_" in value or "-" in value):
        return "pass" in key and len(value) >= 12 and value.isalpha() and before[-1:] in "\"'`"
    varied = len(set(value)) >= (5 if by_people else 6)
    if by_people:
        return varied and len(value) >= 6 and digits and (len(value) >= 7 or not value.isalnum())
    return varied and len(value) >= 16 and digits and letters


def _stems(prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """What all prefixes share, if that is telling enough: one literal to look for instead of many."""
    first, last = min(prefixes), max(prefixes)
    shared = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return (first[:shared],) if shared >= 3 else prefixes


_ALNUM = "[A-Za-z0-9]"
_START, _END = f"(?<!{_ALNUM})", f"(?!{_ALNUM})"

# name, what it is, prefixes, what follows them
_TOKENS: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("anthropic-key", "Anthropic API key", ("sk-ant-",), r"[\w-]{20,}+"),
    ("openrouter-key", "OpenRouter API key", ("sk-or-",), r"[\w-]{20,}+"),
    ("openai-key", "OpenAI API key", ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-"), rf"(?:(?<=[jtn]-)[\w-]{{20,}}+|{_ALNUM}{{20,}}+)"),
    ("aws-key", "AWS access key id", ("AKIA", "ASIA", "ABIA", "ACCA"), "[A-Z2-7]{16}" + _END),
    ("github-token", "GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), rf"{_ALNUM}{{36,}}+"),
    ("github-pat", "GitHub fine-grained token", ("github_pat_",), r"\w{36,}+"),
    (
        "gitlab-token",
        "GitLab token",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-"),
        r"[\w.-]{20,}+",
    ),
    ("slack-token", "Slack token", ("xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xoxc-", "xoxd-"), r"[\w%.-]{20,}+"),
    ("slack-app-token", "Slack app token", ("xapp-",), r"[\w-]{20,}+"),
    ("stripe-key", "Stripe API key", ("sk_live_", "rk_live_", "sk_test_", "rk_test_"), rf"{_ALNUM}{{16,}}+"),
    ("webhook-secret", "Stripe or Svix webhook secret", ("whsec_",), "[A-Za-z0-9+/]{24,}+={0,2}"),
    ("google-key", "Google API key", ("AIza",), r"[\w-]{35}(?![\w-])"),
    ("google-oauth-secret", "Google OAuth client secret", ("GOCSPX-",), r"[\w-]{20,}+"),
    ("google-oauth-token", "Google OAuth access token", ("ya29.",), r"[\w.-]{20,}+"),
    ("npm-token", "npm access token", ("npm_",), rf"{_ALNUM}{{36,}}+"),
    ("pypi-token", "PyPI upload token", ("pypi-AgE",), r"[\w-]{50,}+"),
    ("rubygems-key", "RubyGems API key", ("rubygems_",), "[a-f0-9]{48}" + _END),
    ("docker-token", "Docker Hub token", ("dckr_pat_", "dckr_oat_"), r"[\w-]{20,}+"),
    ("huggingface-token", "Hugging Face token", ("hf_",), rf"{_ALNUM}{{30,}}+"),
    ("groq-key", "Groq API key", ("gsk_",), rf"{_ALNUM}{{40,}}+"),
    ("xai-key", "xAI API key", ("xai-",), rf"{_ALNUM}{{40,}}+"),
    ("perplexity-key", "Perplexity API key", ("pplx-",), rf"{_ALNUM}{{40,}}+"),
    ("replicate-token", "Replicate API token", ("r8_",), rf"{_ALNUM}{{37,}}+"),
    ("digitalocean-token", "DigitalOcean token", ("dop_v1_", "doo_v1_", "dor_v1_"), "[a-f0-9]{64}" + _END),
    ("heroku-token", "Heroku API token", ("HRKU-",), r"[\w-]{36,}+"),
    ("twilio-key", "Twilio API key", ("SK",), "[0-9a-f]{32}" + _END),
    ("sendgrid-key", "SendGrid API key", ("SG.",), r"[\w-]{16,32}\.[\w-]{16,}+"),
    ("brevo-key", "Brevo API key", ("xkeysib-", "xsmtpsib-"), r"[a-f0-9]{64}-\w{16,}+"),
    ("mailgun-key", "Mailgun API key", ("key-",), "[0-9a-f]{32}" + _END),
    ("shopify-token", "Shopify token", ("shpat_", "shpca_", "shppa_", "shpss_"), "[A-Fa-f0-9]{32}" + _END),
    ("square-token", "Square token", ("sq0atp-", "sq0csp-", "sq0idp-", "EAAA"), r"[\w-]{22,}+"),
    ("linear-key", "Linear API key", ("lin_api_", "lin_oauth_"), rf"{_ALNUM}{{32,}}+"),
    ("notion-token", "Notion integration token", ("secret_", "ntn_"), rf"{_ALNUM}{{43,}}+"),
    ("atlassian-token", "Atlassian API token", ("ATATT3", "ATCTT3"), r"[\w=-]{60,}+"),
    ("databricks-token", "Databricks token", ("dapi",), r"[a-f0-9]{32}(?:-\d)?" + _END),
    ("newrelic-key", "New Relic key", ("NRAK-", "NRJS-", "NRII-", "NRRA-"), r"[\w-]{19,}+"),
    ("grafana-token", "Grafana token", ("glsa_", "glc_"), r"[\w+/-]{32,}+={0,3}"),
    ("sentry-token", "Sentry auth token", ("sntrys_", "sntryu_"), r"[\w+/=-]{40,}+"),
    ("vault-token", "HashiCorp Vault token", ("hvs.", "hvb.", "hvr."), r"[\w-]{24,}+"),
    ("doppler-token", "Doppler token", ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."), r"[\w.-]{40,}+"),
    ("age-key", "age secret key", ("AGE-SECRET-KEY-1",), "[0-9A-Z]{58}" + _END),
    ("supabase-key", "Supabase key", ("sbp_", "sb_secret_"), r"[\w-]{30,}+"),
    ("planetscale-token", "PlanetScale token or password", ("pscale_tkn_", "pscale_pw_", "pscale_oauth_"), r"[\w.=-]{32,}+"),
    ("postman-key", "Postman API key", ("PMAK-",), "[a-f0-9]{24}-[a-f0-9]{34}" + _END),
    ("figma-token", "Figma token", ("figd_",), r"[\w-]{40,}+"),
    ("tailscale-key", "Tailscale key", ("tskey-",), r"[a-z]{3,12}-[\w-]{20,}+"),
    ("pulumi-token", "Pulumi access token", ("pul-",), "[a-f0-9]{40}" + _END),
    ("fly-token", "Fly.io token", ("fm1r_", "fm1a_", "fm2_"), "[A-Za-z0-9+/]{60,}+={0,2}"),
    ("netlify-token", "Netlify token", ("nfp_",), rf"{_ALNUM}{{36,}}+"),
    ("sonar-token", "SonarQube token", ("sqp_", "squ_", "sqa_"), "[a-f0-9]{40}" + _END),
    ("onepassword-token", "1Password service account token", ("ops_eyJ",), r"[\w+/-]{100,}+={0,2}"),
    ("alibaba-key", "Alibaba Cloud access key id", ("LTAI",), rf"{_ALNUM}{{16,}}+"),
)

_ASSIGN = r"\\{0,2}[\"'`]?\]?\s{0,4}(?::\s{0,2}\w{1,20}\s{0,2}=|=>|:=|==|[=:])\s{0,4}"
_QUOTED = r"\\{0,2}[\"'`]((?:[^\s\"'`\\‹›]++|\\(?![\"'`]))++)(?=[\\\"'`]|$)"
_BARE = r"([^\s\"'`,;&(){}\[\]<>|\\‹›]++)(?![(\[{])"
_NEARBY = r"[\w .:=>\"',\[\]-]{0,40}?(?<![A-Za-z0-9])"
_KEY_WORD = (
    r"(?:password|passwd|passphrase|passcode|pwd|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key"
    r"|signing[_-]?key|encryption[_-]?key|account[_-]?key|master[_-]?key|service[_-]?key|session[_-]?key|shared[_-]?key)"
)
_KEY_LITERALS = ("passw", "passp", "passc", "pwd", "secret", "token", "credential", "key")
_KEY_END = r"(?:[_-]?(?:base|value|key|prod|dev|test|live|\d{1,2})){0,2}"
_PEM_HEAD = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_PEM = (  # whole, or cut off after at least one line of its body
    _PEM_HEAD + r"(?:(?:[^-]++|-(?!----))*+-----END [A-Z0-9 ]{0,60}-----|(?:[\s\\nr]{0,8}[A-Za-z0-9+/=]{20,}+)++)"
)
_USER_PASSWORD = r"://[^\s/:@\"'<>‹›]{0,100}:([^\s/\"'<>‹›]{1,200})@"

# From the most telling to the least: where matches overlap, the first of the table gives the name.
FORMATS: tuple[Format, ...] = (
    *(
        Format(name, about, _stems(prefixes), f"{_START}(?:{'|'.join(map(re.escape, prefixes))}){rest}")
        for name, about, prefixes, rest in _TOKENS
    ),
    Format(
        "gcp-service-account",
        "private key of a Google service account file",
        ("private_key",),
        rf'"private_key\\*+"\s{{0,4}}:\s{{0,4}}\\*+"({_PEM})',
    ),
    Format("private-key", "PEM private key: RSA, EC, OpenSSH, PGP", ("PRIVATE KEY",), _PEM),
    Format(
        "putty-key",
        "PuTTY private key",
        ("Private-Lines:",),
        r"Private-Lines: \d{1,4}\r?\n([A-Za-z0-9+/=]{20,}+(?:\r?\n[A-Za-z0-9+/=]{4,}+(?![\w-]))*+)",
    ),
    Format("jwt", "JSON web token", ("eyJ",), r"(?<![\w-])eyJ[\w-]{8,}+\.eyJ[\w-]{8,}+\.[\w-]{10,}+"),
    Format(
        "slack-webhook", "Slack webhook address", ("hooks.slack.com/",), r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,}+)"
    ),
    Format("discord-webhook", "Discord webhook address", ("/api/webhooks/",), r"/api/webhooks/\d{10,25}/([\w-]{40,}+)"),
    Format(
        "discord-token",
        "Discord bot token",
        ("MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"),
        r"(?<![\w.-])(?:M[Tjz]|N[DTjz]|O[DT])[\w-]{21,26}\.[\w-]{6}\.[\w-]{27,}+",
    ),
    Format("telegram-token", "Telegram bot token", (":A",), _START + r"\d{6,12}:A[\w-]{34}(?![\w-])"),
    Format("terraform-token", "Terraform Cloud token", (".atlasv1.",), _START + r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}+"),
    Format("mailchimp-key", "Mailchimp API key", ("-us",), _START + r"[0-9a-f]{32}-us\d{1,2}" + _END),
    Format("airtable-token", "Airtable token", ("pat",), _START + r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}" + _END),
    Format("azure-client-secret", "Azure AD client secret", ("Q~",), r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])"),
    Format(
        "azure-storage-key", "Azure storage or service bus key", ("key=",), r"(?:account|sharedaccess)key=([a-z0-9+/]{42,}+={1,2})", True
    ),
    Format("azure-sas", "signature of an Azure shared access link", ("sig=",), r"[?&;]sig=([\w%+/-]{40,}+=?)", True),
    Format(
        "aws-secret",
        "AWS secret access key",
        ("secret", "akia", "asia"),
        rf"(?:(?:aws[_-]?secret(?:[_-]?access)?(?:[_-]?key)?|secret[_-]?access[_-]?key){_ASSIGN}\\{{0,2}}[\"'`]?"
        r"|(?:akia|asia)[a-z2-7]{16}[\s,;:|]{1,4})([a-z0-9+/]{40})(?![\w+/=])",
        True,
    ),
    Format("sentry-dsn", "key of a Sentry DSN", ("@",), r"://([a-f0-9]{32}(?::[a-f0-9]{32})?)@[\w.-]{1,100}/\d"),
    Format(
        "twilio-auth",
        "Twilio auth token",
        ("AC", "TWILIO", "Twilio", "twilio"),
        rf"(?:{_START}AC[0-9a-f]{{32}}[\s:,\"']{{1,4}}|(?:TWILIO|[Tt]wilio){_NEARBY})([0-9a-f]{{32}})" + _END,
    ),
    Format(
        "heroku-key",
        "Heroku API key named as such",
        ("heroku",),
        rf"heroku{_NEARBY}([0-9a-f]{{8}}-(?:[0-9a-f]{{4}}-){{3}}[0-9a-f]{{12}})" + _END,
        True,
    ),
    Format(
        "datadog-key",
        "Datadog API or application key",
        ("datadog", "dd_a", "dd-a"),
        rf"(?:datadog|dd[_-]ap[ip]){_NEARBY}([0-9a-f]{{32}}(?:[0-9a-f]{{8}})?)" + _END,
        True,
    ),
    Format(
        "pagerduty-key",
        "PagerDuty API key",
        ("pagerduty", "pd_api"),
        rf"(?:pagerduty|pd_api){_NEARBY}([\w+-]{{20}}|[0-9a-f]{{32}})(?![\w+-])",
        True,
        is_credential,
    ),
    Format(
        "npmrc-auth",
        "credential of an .npmrc",
        ("_auth", "_password"),
        r"(?<!\w)_(?:auth(?:token)?|password)\s{0,2}=\s{0,2}\"?([^\s\"'‹›]{8,}+)",
        True,
        is_filled_in,
    ),
    Format(
        "netrc-password",
        "password of a .netrc",
        ("password",),
        r"login\s{1,8}\S{1,100}\s{1,8}password\s{1,8}([^\s‹›]++)",
        True,
        is_filled_in,
    ),
    Format("bearer-token", "bearer token", ("bearer",), r"(?<!\w)bearer\s{1,4}([\w.~+/-]{16,}+={0,2})", True, is_credential),
    Format(
        "authorization",
        "basic or token authorization header",
        ("authorization",),
        r"authorization\\{0,2}[\"'`]?\s{0,4}[:=]\s{0,4}\\{0,2}[\"'`]?(?:basic|token|apikey|digest)\s{1,4}([\w.~+/-]{8,}+={0,2})",
        True,
        is_filled_in,
    ),
    Format(
        "cookie",
        "session values of a cookie header",
        ("cookie",),
        r"cookie\\{0,2}[\"'`]?:[^:\n‹›]{0,400}?(?:sess|sid|auth|token|jwt)[\w.-]{0,30}=([^\s;\"'`\\‹›]{12,}+(?:;[^\n\"'`\\‹›]*+)?)",
        True,
    ),
    Format(
        "connection-string",
        "password of a database or broker address",
        ("://",),
        rf"(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|oracle|mongodb|rediss?|valkey|amqps?|clickhouse|cockroachdb|nats|ldaps?)(?:\+\w{{1,20}})?{_USER_PASSWORD}",
        True,
        is_filled_in,
    ),
    Format("url-password", "password in any other address", ("://",), _USER_PASSWORD, False, is_filled_in),
    Format("url-token", "token in the user's place of an address", ("://",), r"://([\w-]{20,}+)@", False, is_credential),
    Format(
        "curl-password",
        "password given to curl",
        ("curl",),
        r"(?<!\S)(?:-u|--user)[ =]\s{0,3}[\"']?[^\s:\"'/@‹›]{1,100}:([^\s\"'‹›]{4,}+)",
        False,
        is_filled_in,
    ),
    Format(
        "flag-secret",
        "secret given as a command line flag",
        ("--",),
        rf"(?<!\S)--[a-z-]{{0,20}}?{_KEY_WORD}[ \t]{{1,4}}(?:{_QUOTED}|{_BARE})",
        True,
        is_credential,
    ),
    Format(
        "env-secret",
        "secret of an environment file",
        ("PASS", "SECRET", "TOKEN", "KEY", "CREDENTIAL"),
        r"^[ \t]{0,8}(?:export )?[A-Z0-9_]{0,40}?(?:PASS|SECRET|TOKEN|CREDENTIAL"
        r"|(?:API|ACCESS|PRIVATE|AUTH|SIGNING|ENCRYPTION|MASTER)_?KEY)"
        r"[A-Z0-9_]{0,30}=([^\s\"'`‹›]++)$",
        False,
        is_credential,
    ),
    Format(
        "assigned-secret",
        "value assigned to a password, secret, token or key",
        _KEY_LITERALS,
        rf"{_KEY_WORD}{_KEY_END}{_ASSIGN}(?:{_QUOTED}|{_BARE})",
        True,
        is_credential,
    ),
)
