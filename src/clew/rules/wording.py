"""The words by which statements are taken apart (clew.rules.statements): filler, denials, opposites, units, alternatives, patterns.

Tables, so that a wrong conclusion is put right by a word. Everything in lower case.
"""

from __future__ import annotations

import re

from clew.stem import stem


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


def _stems(listed: str) -> frozenset[str]:
    """Words as statements hold them."""
    return frozenset(stem(ALIKE.get(word, word)) for word in listed.split())


def _map(listed: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in listed.split())


FILLER = _set(
    "a an the this that these those it its we our us i my you your they their team project codebase company will shall should must may "
    "can could would might ought dare need needs have has had do does did be is are was were been being to of in on at by for with as and "
    "or so now currently always ever today please from onward onwards here there all every each any just also then decided decide agreed "
    "agree want wants going go goes system service server setting value application use uses used using run runs running rely relies "
    "choose chose chosen pick picked adopt adopted adopts stick stay settled standardise standardize standardised standardized make sure "
    "ensure instead happen happens occur take place new = : through via exactly approximately about around per prefer prefers preferred "
    "remember keep note level default defaults set get gets got upgrade upgraded switch switched move moved migrate migrated first"
)
# Words that deny what they stand with.
DENIALS = _set("not never no cannot without neither nor avoid avoids refuse refrain dont doesnt cant wont mustnt shouldnt isnt arent")
# A "not" after these, or after an adverb in -ly, denies; after another word it sets something aside: "use A, not B".
BEFORE_NOT = _set(
    "do does did is are was were must should can could will would may might shall be has have had need needs ought dare please and or we "
    "to the still also yet just even ever now currently often always generally but which that it they"
)
OPPOSITES = _map(
    "disabled=enabled disable=enable disables=enables disallowed=allowed forbidden=allowed forbid=allow forbids=allows prohibited=allowed "
    "banned=allowed disallow=allow optional=required off=on false=true private=public unsafe=safe insecure=secure unsupported=supported "
    "incompatible=compatible immutable=mutable asynchronous=synchronous async=sync unsigned=signed unencrypted=encrypted invalid=valid "
    "unavailable=available unstable=stable inactive=active deny=allow denies=allows denied=allowed skip=run skips=runs "
    "unlimited=limited exclude=include excludes=includes excluded=included descending=ascending"
)

# Other spellings of one word.
ALIKE = _map(
    "Go=golang GET=httpget postgres=postgresql psql=postgresql pg=postgresql db=database dbs=databases config=configuration "
    "configs=configuration auth=authentication repo=repository prod=production dev=development k8s=kubernetes js=javascript ts=typescript "
    "env=environment mongo=mongodb max=maximum min=minimum msg=message colour=color timeouts=timeout mins=minutes deployment=deploy "
    "deployments=deploy deploying=deploy releases=release indentation=indent indenting=indent testing=test tests=test limited=limit "
    "caching=cache linting=lint formatting=format logging=log expires=expire expiry=expire expiration=expire"
)
NUMBERS = _map("one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 twelve=12 once=1 twice=2 thrice=3")
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_MONTHS = "january february march april june july august september october november december"
DAYS = {form: day for day in (_DAYS + " " + _MONTHS).split() for form in (day, day + "s")}

# unit: (its base, how many of the base)
UNITS: dict[str, tuple[str, float]] = {
    unit: (base, factor)
    for base, factor, names in (
        ("s", 0.001, "ms millisecond milliseconds msec"),
        ("s", 1, "s sec secs second seconds"),
        ("s", 60, "min minute minutes"),
        ("s", 3_600, "h hr hrs hour hours"),
        ("s", 86_400, "d day days"),
        ("s", 604_800, "w week weeks"),
        ("month", 1, "month months"),
        ("month", 12, "year years"),
        ("byte", 1, "b byte bytes"),
        ("byte", 1_000, "kb"),
        ("byte", 1_000_000, "mb"),
        ("byte", 1_000_000_000, "gb"),
        ("byte", 1_000_000_000_000, "tb"),
        ("byte", 1 << 10, "kib"),
        ("byte", 1 << 20, "mib"),
        ("byte", 1 << 30, "gib"),
        ("byte", 1 << 40, "tib"),
        ("", 1_000, "k"),
        ("%", 1, "% percent"),
        ("am", 1, "am"),
        ("pm", 1, "pm"),
        ("times", 1, "times time"),
    )
    for unit in names.split()
}

# A number after these is the name of a thing, wherever it stands.
NUMBERED = _set("issue issues pr prs ticket bug rfc adr pep cve step chapter page line section figure table task story error http appendix")
# What stands between a thing and what holds of it: a number behind one of these is a value.
RELATING = _set(
    "is are was be = : to at on by until after every within than over under below above has have use uses used using run runs requires "
    "require expire expires starts ends due lasts takes allows equals defaults port version limit maximum minimum timeout"
)
OPENING = _set("use require requires pin set keep target limit retry cap run deploy default")  # the same at the head of a sentence
# Sentences with these report what happened once, or one of several that may all be: two of them do not contradict each other.
EVENTS = _set(
    "fixed added removed dropped merged landed introduced closed resolved crashed took found measured saw reported shipped released "
    "broke happened noticed discovered tried bumped wrote refactored reviewed created deleted said asked met visited supports support "
    "works work tested includes include contains contain accepts accept depends mentions affects affected covers means yesterday "
    "was were example instance sometimes often can"
)
# Subjects of which there is one value: only of these does "is" speak of what can change.
SINGLE = _set(
    "default primary main only owner name version limit timeout port region language branch url path color format maximum minimum deadline "
    "lead maintainer password database framework license licence size interval frequency host hostname address domain encoding locale "
    "timezone currency schema prefix suffix threshold budget quota theme standard preferred official canonical directory folder style "
    "shell editor runtime registry bucket level"
)
# Parts that one thing plays at a time, told by a name or a known alternative: "the session store is Redis".
ROLES = _set(
    "store cache queue broker orchestrator manager provider linter formatter bundler compiler engine backend frontend dialect driver "
    "protocol algorithm vendor runner scheduler proxy gateway balancer tracker renderer parser orm"
)
# What tells how something is and not what it is: the database is encrypted, and it is full. So do words with STATE_ENDS.
STATES = _set(
    "built kept sent made written broken frozen gone done known lost hidden split shut held sold spent taken given shown driven chosen "
    "green slow fast stale old open closed down up wrong missing full empty ready live dead flaky hot cold big small high low good bad "
    "safe secure private public external internal huge tiny short long free busy fine ok okay due late early available stable valid "
    "correct incorrect important optional mandatory unique global shared dirty clean healthy unhealthy online offline idle active "
    "inactive visible invisible on in at by for with under behind of from to out off about between within only too very more less also "
    "part one"
)
STATE_ENDS = ("ed", "ing", "able", "ible", "ful", "less")

# What is chosen in one another's place: of EXCLUSIVE one for a whole project, of ALTERNATIVES one for a purpose.
EXCLUSIVE = tuple(
    map(
        _stems,
        (
            "tab space",
            "npm pnpm yarn bun",
            "pip poetry uv pipenv conda pdm",
            "merge rebase squash",
            "black ruff yapf autopep8",
            "eslint biome",
            "github gitlab bitbucket",
            "camelcase snake_case kebab-case pascalcase",
            "monorepo polyrepo multirepo",
            "bazel gradle maven",
        ),
    )
)
ALTERNATIVES = (
    *EXCLUSIVE,
    *map(
        _stems,
        (
            "postgresql mysql sqlite mongodb mariadb cockroachdb dynamodb oracle cassandra",
            "redis memcached valkey",
            "kafka rabbitmq sqs nats pulsar",
            "jenkins argo argocd circleci travis actions buildkite flux",
            "rest graphql grpc",
            "pytest unittest nose",
            "jest vitest mocha",
            "webpack vite rollup esbuild parcel",
            "react vue svelte angular",
            "aw gcp azur",
            "docker podman",
            "flake8 pylint ruff",
            "single double",
            "light dark",
            "json yaml toml xml protobuf",
            "nginx caddy apache traefik",
            "terraform pulumi cloudformation",
            "uuid uuid4 uuid7 ulid bigserial serial",
            "utc local",
            "celery rq dramatiq",
            "flask django fastapi",
            "golang rust python java typescript javascript kotlin ruby",
            "jwt session cookie",
            "bcrypt argon2 scrypt",
            "spring summer",
            "eur usd gbp chf jpy",
        ),
    ),
)
# Ways of doing one thing.
MANNERS = tuple(
    map(
        _stems,
        (
            "automatic manual",
            "cursor offset",
            "squash rebase",
            "eager lazy eagerly lazily",
            "optimistic pessimistic",
            "sequential parallel",
            "single double",
            "local remote",
            "gitflow trunk",
        ),
    )
)

_USE = (
    r"(?:use|uses|using|used|choose|chose|pick|picked|adopt|adopted|adopts|go with|went with|stick with|stay with|settled on|runs? on"
    r"|rely on|relies on|prefer|prefers|standardi[sz]ed? on|switch(?:ed)? to|moved? to|migrated? to|upgraded? to)"
)
_MAKES = r"(?:format|lint|bundle|build|deploy|manage)"
_DOES = r"(?:deploy|build|test|lint|format|bundle|based|runs?|merge)s?"
_WHAT = r"\S+(?: \S+){0,3}?"
_FOR = r"(?: (?:for|as|to|in|on|when|at|during|between|inside|across) (?P<purpose>.+))?"
_REGION = r"[a-z]{2,}(?:-gov)?-(?:north|south|east|west|central){1,2}-?\d[a-z]?"  # where a service runs, as clouds call it
_HOLDS = {
    "live": r"(?:lives?|resides?|is located|are located|is hosted|are hosted|is deployed|are deployed|sits) (?:in|on|at|by)",
    "store": r"(?:is|are|get|gets) (?:stored|kept|saved) (?:in|on|at|as)",
    "written": r"(?:is|are) (?:written|implemented|built) (?:in|with|on)",
    "own": r"(?:is|are) (?:owned|maintained|led|managed|run) by",
    "go": r"(?:go|goes|is done|are done|are deployed|is deployed) (?:through|via|with|using)",
    "default": r"defaults? to",
    "set": r"(?:is|are) set to",
    "called": r"(?:is|are) (?:named|called)",
    "served": r"(?:is|are) (?:served|hosted|rendered|generated|validated|parsed|cached|balanced|proxied|built|bundled|linted|formatted) by",
}
# Whose one value "is" may name: anything at all of the first, a name or a known alternative of the second.
SUBJECTS = {"is": SINGLE, "role": ROLES}
# (relation, the whole sentence in lower case); `less` is what the slot is preferred to. The first that fits counts.
PATTERNS = tuple(
    (relation, re.compile(pattern))
    for relation, pattern in (
        (
            "use",
            rf"(?:(?P<subject>.*?) )??{_USE} (?P<slot>{_WHAT}) (?:instead(?: of)?|rather than|over|in place of) (?P<less>{_WHAT}){_FOR}",
        ),
        ("use", rf"(?:(?P<subject>.*?) )??prefers? (?P<slot>{_WHAT}) to (?P<less>{_WHAT}){_FOR}"),
        ("use", rf"(?:(?P<subject>.*?) )??replaced? (?P<less>{_WHAT}) (?:with|by) (?P<slot>{_WHAT}){_FOR}"),
        ("use", rf"(?:(?P<subject>.*?) )??(?:switch|move|migrate)(?:e?d)? from (?P<less>{_WHAT}) to (?P<slot>{_WHAT}){_FOR}"),
        ("use", rf"(?P<slot>{_WHAT}) (?:is|are) (?:used|preferred|chosen)(?: (?:for|as|in|by) (?P<purpose>.+))?"),
        ("use", rf"(?P<slot>{_WHAT}) replaces (?P<less>{_WHAT}){_FOR}"),
        *((relation, rf"(?P<subject>.+?) {verb} (?P<slot>{_WHAT}){_FOR}") for relation, verb in _HOLDS.items()),
        (
            "use",
            rf"(?:we |our )?(?P<subject>(?:\S+ ){{0,2}}?{_DOES}) (?:with|via|through|on) (?P<slot>{_WHAT}){_FOR}",
        ),
        ("live", rf"(?P<subject>.+?) (?:is|are|runs?) in (?P<slot>{_REGION}){_FOR}"),
        ("use", rf"(?:we )?(?P<subject>{_MAKES}(?: \S+){{1,3}}?) (?:with|using) (?P<slot>{_WHAT}){_FOR}"),
        (
            "paid",
            rf"(?P<subject>.+?) (?:is|are|get|gets) (?:issued|paid|billed|priced|shown|displayed|measured) in (?P<slot>{_WHAT}){_FOR}",
        ),
        ("own", r"(?P<slot>\S+(?: \S+)?) (?:owns?|maintains?|leads?|manages?|is responsible for) (?P<subject>.+)"),
        ("own", r"(?P<slot>\S+(?: \S+)?) is (?:the )?(?:owner|lead|maintainer) (?:of|for) (?P<subject>.+)"),
        ("use", rf"(?:(?P<subject>.*?) )??{_USE} (?P<slot>{_WHAT}){_FOR}"),
        *((relation, r"(?P<slot>\S+(?: \S+)?) (?:is|are) (?:now )?(?:the|our) (?P<subject>.+)") for relation in ("is", "role")),
        *((relation, rf"(?P<subject>.+?) (?:is|are|=|:) (?:now )?(?P<slot>\S+(?: \S+){{0,2}}?){_FOR}") for relation in ("is", "role")),
    )
)
