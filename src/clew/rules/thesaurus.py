"""Words that developers use for one another, so that `k8s` finds Kubernetes, a purchase the checkout and the error tracker Sentry.

All are stems, as the index holds them. A group is a list of what people say in each other's place, not a dictionary. The names are
products, formats and protocols by what they are: who asks for the queue may mean Kafka, but who asks for Kafka does not mean RabbitMQ, so
they are reached one way only. An entry is here because any developer would nod at it, whatever a test set asks.
"""

from __future__ import annotations

from functools import cache, lru_cache

_GROUPS = """
postgr postgresql pg psql, kubernet k8s, databas db, javascript js, typescript ts, python py, golang go, environ env, product prod live,
repositori repo, directori folder, authent auth login signin logon, author authoris permiss permit, configur config set option,
administr admin, applic app, messag msg, paramet param argument arg, function func method, librari packag depend modul,
infrastructur infra, develop dev, error except failur fault, bug defect issu, crash abort panic die, slow latenc perform sluggish lag,
speed fast quick throughput, memori ram heap, cpu processor core, gpu cuda nvidia, disk storag drive, machin host server box,
laptop desktop comput pc, pod contain, deploi releas ship publish rollout launch, canari gradual, rollback revert undo, job task,
cron schedul nightli, queue broker, pipelin ci build, test spec, mock stub fake, flaki unstabl intermitt sometim random, log trace,
metric statist measur, alert alarm page pager notifi, dashboard graph chart plot, monitor observ, password secret credenti token kei,
encrypt cipher, certif cert tl ssl, user custom client, employe colleagu teammat cowork, team squad, tenant organis organ workspac,
price cost fee charg, expens dear costli, cheap inexpens, invoic bill, payment checkout purchas, refund chargeback disput, tax vat,
mail email, newslett mail, notif push, pictur imag photo, movi video clip, sound audio music, file document, delet remov drop eras purg,
creat add insert, chang modifi edit updat alter, renam move, fetch get load read, write save store persist, send emit publish,
limit quota cap throttl maximum, timeout deadlin, retri repeat, duplic twice doubl, cach memoiz, stale outdat old obsolet,
latest newest recent, url link address, endpoint rout path, request call, respons repli answer, browser chrome firefox safari,
phone mobil io android iphon, ipad tablet, window microsoft, mac maco appl osx, linux unix ubuntu debian, shell bash termin consol,
editor id, format formatt prettier lint, comment remark annot, commit push, branch trunk main, schema tabl, column field, row record,
index indic, queri sql, search lookup find, sort order, date time timestamp, timezon utc clock, number integ, float decim, string text,
arrai list, map dictionari dict hash, object instanc, type class, interfac api, framework stack, frontend ui, backend server,
design architectur, decis choic choos decid, prefer like favour, forbidden ban refus disallow forbid, allow permit mai, broken fail,
outag incid downtim unavail, restart reboot, upgrad updat bump, import ingest, export dump, backup snapshot restor, copi clone duplic,
compress zip gzip, parallel concurr simultan, lock mutex, thread process, random seed, model weight, accuraci score,
person pii gdpr privaci sensit, attack hacker malici exploit, vulner cve, mandatori must requir obligatori, option voluntari,
automat auto autom, manual hand, finish complet done, unfinish half incomplet partial, begin start, stop halt paus, hang freez stuck,
wait delai, replac swap substitut, split divid shard, merg combin join, hide conceal mask, verifi check valid, confirm acknowledg,
owner respons, lawyer legal, licenc licens, contract agreement, shop ecommerc, warehous stock inventori, catalogu catalog, sale revenu,
christma decemb, garbl mojibak charset encod utf8, emoji unicod, accent diacrit umlaut, charact letter, colour color, font typefac,
button click tap, layout css style, keyboard shortcut, spreadsheet excel csv, present slide, chat slack, meet standup, newcom onboard,
document readm doc, tutori guid, diagram pictur, vacat holidai, weekend saturdai sundai, year annual yearli, month monthli, week weekli,
dai daili, hour hourli, night nightli, big larg huge, small tini, size dimens, empti blank null, miss absent lack, unknown unrecognis,
wrong incorrect, correct right, safe secur, danger destruct, percentag percent, quantiti amount count, averag mean, version releas,
deprec sunset retir, legaci old, experi trial, featur function, flag toggl switch, plugin extens addon, firmwar embed, chip microcontrol,
sensor probe, batteri power, network net, firewal port, dn domain nameserv, proxi gatewai, balanc ingress, bandwidth throughput,
region zone, cloud aw azur gcp, bucket s3, serverless lambda, failov fallback, primari master leader, identifi id uuid, name call,
uppercas capit, session cooki, logout signout, webhook callback, event messag, subscrib consum, produc publish, batch bulk, chunk piec,
page pagin, cursor offset, upload attach, download fetch, render draw, anim motion, frame fp, player gamer, enemi monster, predict infer,
embed vector, prompt instruct, agent assist, cleanup tidi, refactor rewrit, readabl clear, compil build, binari execut, linker link,
debug debugg, coverag cover, fixtur setup, scan audit, sign signatur, signup regist registr, languag local, person peopl human,
hire recruit, regex regexp pattern, pars parser, serialis serial, json payload, xml markup, yaml config, socket websocket,
internation i18n translat localis, popup modal dialog overlai, theme skin, vendor supplier provid thirdparti, stage preprod,
minimum lowest least, maximum highest, label annot tag, screen displai, monei dollar euro cent currenc, block prevent,
replica standbi secondari follow, recov recoveri restor
"""

_NAMES = """
databas sql: postgresql postgr mysql mariadb sqlite oracl mssql cockroachdb aurora rd supabas duckdb clickhous bigqueri snowflak,
databas: mongodb mongo dynamodb cassandra redi firestor neo4j,
warehous analyt: clickhous bigqueri snowflak redshift athena dbt looker databrick, cach: redi memcach varnish cdn,
queue broker: kafka rabbitmq sq nat pulsar celeri sidekiq kinesi redi mqtt,
schedul job task: airflow dagster prefect celeri cron tempor sidekiq argo jenkin quartz,
pipelin etl: airflow dbt spark dagster kafka flink debezium jenkin,
search: elasticsearch opensearch solr algolia meilisearch lucen typesens, cdn: cloudflar fastli akamai cloudfront,
tracker error except crash: sentri bugsnag rollbar crashlyt, ticket issu: jira youtrack trello asana bugzilla,
monitor observ metric dashboard: grafana prometheu datadog newrel kibana cloudwatch,
log: loki splunk kibana cloudwatch logstash fluentd datadog, trace: opentelemetri otel jaeger zipkin datadog,
alert oncal: pagerduti opsgeni alertmanag,
login auth ident: okta auth0 keycloak oauth saml sso oidc jwt cognito ldap passkei webauthn mfa, fingerprint biometr: passkei webauthn,
secret: vault km sop, password hash: argon2 argon2id bcrypt scrypt pbkdf2, payment: stripe paypal braintre adyen sepa klarna,
bank: sepa iban swift, email mail: smtp imap postmark sendgrid mailgun se mailpit mailchimp dkim spf, mailbox: outlook gmail,
chat: slack discord mattermost, design mockup: figma sketch storybook, translat: lokalis crowdin icu gettext weblat,
infrastructur provis: terraform pulumi ansibl cloudform helm, cluster orchestr: kubernet k8s ek gke ak nomad openshift,
contain imag: docker podman buildkit containerd distroless oci, registri: ecr dockerhub artifactori nexu, autosc scale: keda hpa karpent,
gatewai ingress proxi balanc: nginx envoi traefik haproxi istio kong caddi, tunnel network: vpn vpc wireguard tailscal nat,
cloud amazon: aw ec2 s3 lambda rd ec ek sq sn dynamodb cloudwatch iam, googl: gcp bigqueri gke firebas gmail android chrome,
microsoft: azur window excel outlook vscode, bucket storag: s3 gc minio, ci build: jenkin github gitlab circleci travi buildkit,
packag: npm pip pnpm yarn maven gradl cargo homebrew apt compos nuget conda, updat depend: renov dependabot snyk,
vulner scan: snyk trivi clamav cve dependabot, antiviru viru malwar: clamav defend, attack vulner: xss csrf ssrf redo ddo inject,
bundl: webpack vite rollup esbuild turbopack, compil: gcc clang llvm rustc javac, compil build: cmake bazel gradl maven gcc clang,
linter lint style: eslint ruff flake8 pylint rubocop clippi prettier isort, formatt: prettier gofmt rustfmt, checker: mypi pyright tsc,
test: pytest jest vitest junit playwright cypress selenium rspec mocha hypothesi espresso,
browser: playwright cypress selenium puppet e2e, load stress: k6 jmeter locust gatl soak, simul emul: android io xcode,
frontend framework compon: react vue angular svelt astro nextj nuxt, chart graph: echart d3 plotli matplotlib,
css style: tailwind sass bootstrap, form: zod formik, mobil: flutter kotlin swift xcode testflight, iphon: appl testflight xcode swift,
appstor: testflight fastlan, backend framework: django rail flask fastapi laravel, orm: sqlalchemi hibern prisma activerecord django,
migrat schema: alemb flywai liquibas, pool: pgbouncer hikari, languag: python java rust typescript kotlin swift rubi php scala elixir,
notebook: jupyt, datafram: panda polar spark, format: parquet avro csv json protobuf xml, serial schema: protobuf avro thrift,
rpc api: grpc graphql rest openapi, pdf: weasyprint latex reportlab, imag pictur: avif jpeg png heic webp svg, photo: heic jpeg,
video: ffmpeg mp4, audio sound: fmod asio wav wwise, engin game: uniti unreal godot bevi, nintendo: switch,
graphic shader: metal vulkan opengl directx webgl, microcontrol chip board: esp32 arduino stm32 raspberri, rto firmwar: zephyr freerto,
bu serial: i2c spi uart usb modbu, clock: ntp rtc, bootload: ota mcuboot, robot: ro lidar, wireless: bluetooth wifi lora zigbe,
geographi geospati locat: postgi gi geojson, experi: mlflow wandb, model llm: gpt minilm bert llama claud openai,
train: pytorch tensorflow cuda, gpu: cuda a100 nvidia, precis: fp16 bf16 int8 float, infer serv: onnx triton vllm, agreement annot: kappa,
featur flag toggl: unleash launchdarkli flagsmith, vault: 1password bitwarden, editor id: neovim vim vscode intellij emac xcode,
termin: tmux neovim bash zsh, window: scoop chocolatei winget, mac: homebrew brew xcode notar, desktop: electron tauri qt,
instal: msi dmg electron tauri, extens: vscode chrome, host: heroku vercel netlifi, wiki document: confluenc,
blog doc site: astro hugo jekyl docusauru, blockchain crypto: ethereum polygon solid, licenc licens: gpl mit apach mpl bsd agpl,
sbom: cyclonedx spdx, binari: lf, spreadsheet: excel csv xlsx
"""


_KEPT = 4096  # terms whose others a process that lives on remembers


@cache
def _lines() -> tuple[list[str], list[tuple[str, str]]]:
    """(groups, (kinds, names) of each entry)."""
    groups, entries = (text.replace("\n", " ").strip().split(", ") for text in (_GROUPS, _NAMES))
    return groups, [(kinds, names) for kinds, _, names in (entry.partition(": ") for entry in entries)]


@lru_cache(_KEPT)
def also_said(term: str) -> tuple[str, ...]:
    """The terms that stand for the same thing as `term`, or are one of what it names; none for most words.

    Looked up in the lines as they stand: a cold process asks for a dozen words, and a table of all would take it ten times as long.
    """
    groups, entries = _lines()
    others = [word for group in groups if term in group for word in _beside(term, group.split())]
    others += [name for kinds, names in entries if term in kinds and term in kinds.split() for name in names.split()]
    return tuple(dict.fromkeys(word for word in others if word != term))


def _beside(term: str, words: list[str]) -> list[str]:
    return words if term in words else []


def words() -> frozenset[str]:
    """Every term that has others beside it."""
    groups, entries = _lines()
    return frozenset(" ".join([*groups, *[kinds for kinds, _ in entries]]).split())
