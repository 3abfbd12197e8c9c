import type { KeyObject } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { keyOf } from '../secrets/seal.ts'
import {
  choice,
  flag,
  integer,
  list,
  match,
  optionalText,
  type Setting,
  shownTo,
  text,
  wordedFlag,
} from './setting.ts'

const MIB = 1 << 20
const GIB = 1 << 30

/** 64 TiB, which is more than a volume has. */
const MAX_TEMP_BYTES = 2 ** 46

/** Names of databases and schemas that DuckDB has besides the catalog, and of those in the catalog. */
const TAKEN_NAMES = ['information_schema', 'main', 'memory', 'pg_catalog', 'public', 'system', 'temp']

const HTTP_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const ORIGIN = /^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#,]+)$/i

const NO_KEYS: readonly KeyObject[] = Object.freeze([])

/** More keys than anybody rotates at once. */
const MOST_KEYS = 16

function parseKeys(text: string): readonly KeyObject[] | undefined {
  const keys = text.split(',').flatMap((key) => keyOf(key.trim()) ?? [])
  return keys.length === text.split(',').length && keys.length <= MOST_KEYS ? Object.freeze(keys) : undefined
}

/**
 * All settings of the service. The key gives the name of the variable: `dataDir` is read from `SERVICE_DATA_DIR`.
 * docs/reference/settings.md is written from this table, and a test compares the two.
 */
export const SETTINGS = {
  name: match(
    'service',
    new RegExp(`^(?!(?:${TAKEN_NAMES.join('|')})$)[a-z][a-z0-9_]{0,30}$`),
    `a lower-case word of at most 31 letters, digits and \`_\`, and none of ${TAKEN_NAMES.join(', ')}`,
    'The product word on the wire: header `x-<name>-query-id`, info field `<name>_version`, default catalog `<name>`.',
  ),
  host: text('0.0.0.0', 'Address to listen on.'),
  port: integer(5001, 0, 65_535, 'Port to listen on; 0 takes a free one.'),
  basePath: match(
    '',
    /^\/*(?:[A-Za-z0-9_.~-]+(?:\/[A-Za-z0-9_.~-]+)*)?\/*$/,
    "a path of letters, digits, '-', '_', '.', '~' and '/'",
    'Prefix of every route, when a reverse proxy passes it on.',
  ),
  dataDir: shownTo(
    'super-user',
    text(
      './data',
      'Folder of everything the service keeps: `datasets`, `tables` and `tmp`. If it is not set, and `NODE_ENV` is not `production`, a dataset root that does not exist is made with a sample.',
    ),
  ),
  datasetsDir: shownTo(
    'super-user',
    optionalText('The dataset root, if not `datasets` in the data folder. Must exist.'),
  ),
  tablesDir: shownTo(
    'super-user',
    optionalText('Folder of the catalog and the metrics, if not `tables` in the data folder.'),
  ),
  logLevel: choice(
    'info',
    ['trace', 'debug', 'info', 'warn', 'error', 'off'],
    'How much is logged. Lines are JSON on standard output.',
  ),
  // The default respects a cgroup v2 quota, rounded down but at least 1 (libuv 1.52 in Node 24.21, with quotas of 0.5 to 1.5 CPUs).
  workers: integer(
    availableParallelism(),
    1,
    256,
    'Worker threads. Default: the CPUs that the process may use.',
  ),
  workerMemoryMb: integer(
    512,
    64,
    4096,
    'MiB that the columns of one worker may take. A query that needs more is refused, the worker stays.',
  ),
  workerHeapMb: integer(256, 64, 16_384, 'MiB of JavaScript heap of one worker.'),
  unitTimeoutSecs: integer(
    60,
    1,
    86_400,
    'Seconds that one piece of a query may keep a worker before it is taken to hang and replaced.',
  ),
  sqlEngines: integer(
    Math.max(3, availableParallelism() + 1),
    1,
    256,
    'Most engines of DuckDB at once, each in a thread of its own. One is kept ready, others are started when all are busy for long, and end after a minute without work.',
  ),
  sqlMemoryMb: integer(
    1024,
    64,
    // DuckDB needs 256 MiB besides, and cannot have more than 2 GiB in all.
    1792,
    'MiB that the statements in one engine may take together. A statement that needs more is refused, the engine stays.',
  ),
  statementTimeoutSecs: integer(
    600,
    1,
    86_400,
    'Seconds that a statement may work, all of its steps together, before it is stopped. The time in which it waits for its client does not count.',
  ),
  cursorIdleSecs: integer(
    60,
    1,
    86_400,
    'Seconds that a statement, or an answer that is a file, waits for a client that does not read before its connection is closed.',
  ),
  trimIdleSecs: integer(
    10,
    1,
    86_400,
    'Seconds without work after which a thread gives back memory: its garbage, and what it has grown to for one query.',
  ),
  ipcCompression: choice(
    'none',
    ['none', 'lz4', 'zstd'],
    'How the bodies of Arrow answers are compressed: a client must be able to read that, and on a fast network it costs more than it saves.',
  ),
  cacheBytes: integer(
    256 * 1024 * 1024,
    0,
    1024 ** 4,
    'Bytes that may be kept between queries: an eighth for finished small answers, the rest for decoded columns and chunks, most of it shared by the workers, the remainder by the engines. 0 keeps neither, and every query runs by itself.',
  ),
  maxChunkBytes: integer(
    256 * MIB,
    1,
    2 * GIB - 1,
    'Bytes of one decoded chunk of an array, which is decoded as a whole; a larger one is answered 400 before it is read.',
  ),
  arrayNan: choice(
    'null',
    ['null', 'value'],
    'What NaN in arrays of NetCDF, HDF5 and Zarr is where a query or a table does not say it (option `nan`): null, or a value.',
  ),
  maxQueries: integer(
    1024,
    1,
    1_000_000,
    'Queries that may be open at once, waiting ones included; one more is answered 503.',
  ),
  maxOutputBytes: integer(
    GIB,
    1,
    MAX_TEMP_BYTES,
    'Bytes of one answer that is written to a file before it is sent (all but streams, CSV and JSON); a larger one is answered 400. CSV and JSON are sent before the file has more. An Arrow stream needs no file.',
  ),
  maxGridBytes: integer(
    4 * GIB,
    1,
    MAX_TEMP_BYTES,
    'Bytes of the values in a gridded file (`nd_netcdf`), which depend on the distinct values of its dimensions and not on its rows; a larger grid is answered 400.',
  ),
  // Together with `minFreeBytes` this is less than half of the 10 GiB volume in deploy/service.yaml. The rest is for datasets
  // and the catalog.
  maxTempBytes: integer(
    4 * GIB,
    1,
    MAX_TEMP_BYTES,
    'Bytes of all such files together, from when they are written until they are sent; an answer that is a file and would need more is answered 503. Rows that are sorted in a file count too, and compressed files that are inflated; a query that alone would need more is answered 400.',
  ),
  // As large as `metricsMaxBytes`, so that the database of the metrics can always grow to its limit.
  minFreeBytes: integer(
    512 * MIB,
    0,
    MAX_TEMP_BYTES,
    'Bytes of the volume of the data folder that such files leave free, for the catalog and the metrics; an answer that is a file and would not is answered 400. So do uploads, if the dataset root is on that volume; one that would not is answered 507.',
  ),
  maxUploadBytes: integer(
    5 * GIB,
    0,
    MAX_TEMP_BYTES,
    'Bytes of one file that is uploaded, which are counted while they arrive; a larger one is answered 413. 0 sets no limit.',
  ),
  shutdownSecs: integer(
    10,
    0,
    3600,
    'Seconds that running answers get to finish when the service is stopped.',
  ),
  metricsRetentionDays: integer(
    30,
    0,
    36_500,
    'Days that the metrics of a query are kept; 0 keeps them for ever.',
  ),
  metricsMaxQueries: integer(
    100_000,
    0,
    1_000_000_000,
    'Queries of which metrics are kept, the last ones: 0.3 KB of the data folder each where queries differ in numbers only, 1.5 KB where in words. 0 keeps those of all.',
  ),
  metricsMaxBytes: integer(
    512 * 1024 ** 2,
    0,
    1024 ** 4,
    'Bytes of the database of the metrics; when it has more, the metrics of the oldest queries are deleted, a little later. 0 sets no bound.',
  ),
  adminUsername: shownTo(
    'super-user',
    match('service-admin', /^[^:]+$/, 'text without a colon', 'Name of the super-user.'),
  ),
  adminPassword: shownTo('nobody', match('service-password', /./, 'text', 'Password of the super-user.')),
  secretsKey: shownTo('nobody', {
    fallback: NO_KEYS,
    about:
      'The key under which stored secrets are encrypted. Of several, the first one encrypts and all of them decrypt: at the start, all secrets are encrypted anew under the first. Without it secrets last until the service ends.',
    expects: '32 bytes in base64, or several of them with commas between',
    shownTo: 'nobody',
    parse: parseKeys,
  }),
  authEnforce: flag(
    false,
    'Whether users read only what their roles grant. Otherwise everybody reads everything, and rules have no effect.',
  ),
  authAnonymousEnabled: flag(
    true,
    'Whether a request without credentials has the roles of the user `anonymous`. Otherwise it has none.',
  ),
  oidcEnabled: flag(false, 'Whether tokens of an issuer (OpenID Connect) are accepted.'),
  oidcIssuer: shownTo(
    'super-user',
    optionalText('The issuer of the tokens, which they have as `iss`. Required with tokens.'),
  ),
  oidcJwksUrl: shownTo(
    'super-user',
    optionalText(
      'Where the public keys of the issuer are, an address of http or https. Required with tokens.',
    ),
  ),
  oidcAudience: shownTo(
    'super-user',
    optionalText('The audience that a token must have as `aud`. If it is not set, any is accepted.'),
  ),
  oidcRolesClaim: shownTo(
    'super-user',
    match(
      'realm_access.roles',
      /./,
      'names joined by dots',
      'The claim of a token that has the roles: a list, or words.',
    ),
  ),
  oidcUsernameClaim: shownTo(
    'super-user',
    match(
      'preferred_username',
      /./,
      'names joined by dots',
      'The claim of a token that has the name of the user.',
    ),
  ),
  oidcJwksCacheTtlSecs: integer(300, 1, 86_400 * 365, 'Seconds that the keys of the issuer are kept.'),
  enableSql: flag(true, 'Whether a query may be given as SQL.'),
  planOnStartup: flag(
    true,
    'Whether the longest of the last queries over many files are planned again once the service has started and is idle, so that the first ones after a restart wait less.',
  ),
  mcpEnabled: wordedFlag(
    true,
    'Whether assistants may ask at `/mcp`, by the Model Context Protocol. Otherwise there is no such path.',
  ),
  enableSysInfo: flag(
    false,
    'Whether `GET /api/info` tells of the CPUs and the memory of the machine, and its name and its system to the super-user.',
  ),
  crawlerEnable: wordedFlag(
    true,
    'Whether crawlers run by their schedules. Otherwise they run only when they are asked to.',
  ),
  crawlerDefaultIntervalSecs: integer(
    900,
    1,
    86_400 * 3650,
    'Seconds between two runs of a crawler that is to wait for events (`event_driven`) and has no schedule.',
  ),
  fileStatsEnable: wordedFlag(
    true,
    'Whether files are analyzed in the background, and `ANALYZE FILES` may be run. What queries learn of files is kept in any case.',
  ),
  fileStatsIntervalSecs: integer(900, 1, 86_400 * 3650, 'Seconds between two runs of file statistics.'),
  fileStatsOnStartup: wordedFlag(
    false,
    'Whether files are analyzed when the service starts. Otherwise the first run is one interval later.',
  ),
  fileStatsMaxFiles: integer(
    4_000_000,
    1000,
    100_000_000,
    'Files of which it is kept what is known of all their values, some 200 bytes and 40 for each column of one in `learned.db`. Files beyond are not analyzed.',
  ),
  defaultTable: match('default', /./, 'text', 'The table of a query without `from`.'),
  remoteHosts: shownTo(
    'super-user',
    list(
      [],
      /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(?::\d{1,5})?$/,
      'hosts, or `host:port`; IPv6 addresses are in brackets',
      'Hosts of other services that tables may name. Default: all, but for link-local addresses, which have to be listed.',
    ),
  ),
  corsAllowedOrigins: list(['*'], ORIGIN, 'origins, or `*`', 'Origins whose pages may call the service.'),
  corsAllowedMethods: list(
    ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    HTTP_TOKEN,
    'HTTP methods',
    'Methods that such a page may use.',
  ),
  corsAllowedHeaders: list(
    [
      'Content-Type',
      'Authorization',
      'Cache-Control',
      'If-None-Match',
      'Range',
      'If-Range',
      'Content-Digest',
      'Mcp-Protocol-Version',
      'Mcp-Session-Id',
    ],
    HTTP_TOKEN,
    'header names',
    'Request headers that such a page may send.',
  ),
  corsExposeHeaders: list(
    [],
    HTTP_TOKEN,
    'header names',
    'Response headers that such a page may read. Default: `x-<name>-query-id`, `x-<name>-notice`, `ETag`, `Content-Range`, `Retry-After` and `Mcp-Session-Id`.',
  ),
  corsAllowedCredentials: flag(
    false,
    'Whether such a page may send cookies; not together with the origin `*`.',
  ),
  corsMaxAge: integer(3600, 0, 86_400 * 365, 'Seconds that a browser may remember a preflight answer.'),
  apiTitle: optionalText('Title in the OpenAPI document. Default: the name and "Rest API".'),
  apiDescription: text(
    '',
    'Description in the OpenAPI document. Default: a sentence that names the formats.',
  ),
  apiTermsOfService: optionalText('Terms of service in the OpenAPI document, a URL.'),
  apiContactName: optionalText('Contact in the OpenAPI document.'),
  apiContactUrl: optionalText('URL of the contact.'),
  apiContactEmail: optionalText('E-mail address of the contact.'),
  apiLicenseName: optionalText('Licence in the OpenAPI document.'),
  apiLicenseUrl: optionalText('URL of the licence.'),
  apiLicenseIdentifier: optionalText('SPDX identifier of the licence; not together with its URL.'),
} satisfies Record<string, Setting<unknown>>

export type Settings = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never
}

export const PREFIX = 'SERVICE_'

/** `dataDir` → `SERVICE_DATA_DIR`. */
export function variableOf(key: string): string {
  return `${PREFIX}${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
