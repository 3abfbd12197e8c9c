import { join, resolve } from 'node:path'
import { ANONYMOUS_NAME } from '../auth/principal.ts'
import { OTHER_VARIABLES, otherVariable } from './other-variables.ts'
import { PREFIX, SETTINGS, type Settings, variableOf } from './settings.ts'

/** The settings of the process, and values derived from them. Folders are absolute paths. Frozen. */
export interface Config extends Omit<Settings, 'datasetsDir' | 'tablesDir'> {
  readonly datasetsDir: string
  readonly tablesDir: string
  readonly tmpDir: string
  /** Whether the dataset root is the service's own, which is made if it does not exist. */
  readonly ownsDatasets: boolean
  /** Whether an own root that does not exist is made with sample data: only where no folder is configured, and never in production. */
  readonly makesSample: boolean
}

export interface ConfigReading {
  readonly config: Config
  /** Lines for the log. */
  readonly warnings: readonly string[]
}

/** A setting with which the service cannot start. The message names the variable and the values that it may have. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/** Reads all `SERVICE_*` variables. Only settings that are texts may be empty. Throws `SettingError`. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): ConfigReading {
  const settings = readSettings(env)
  if (settings.corsAllowedCredentials && settings.corsAllowedOrigins.includes('*'))
    throw new SettingError(
      'SERVICE_CORS_ALLOWED_CREDENTIALS=true needs SERVICE_CORS_ALLOWED_ORIGINS to name the origins, not `*`.',
    )
  if (settings.adminUsername === ANONYMOUS_NAME)
    throw new SettingError(
      `SERVICE_ADMIN_USERNAME must not be ${ANONYMOUS_NAME}, which is the user of requests without credentials.`,
    )
  requireIssuer(settings)
  const dataDir = resolve(settings.dataDir)
  const basePath = settings.basePath.replace(/^\/+|\/+$/g, '')
  const config: Config = Object.freeze({
    ...settings,
    basePath: basePath === '' ? '' : `/${basePath}`,
    dataDir,
    datasetsDir: settings.datasetsDir === null ? join(dataDir, 'datasets') : resolve(settings.datasetsDir),
    tablesDir: settings.tablesDir === null ? join(dataDir, 'tables') : resolve(settings.tablesDir),
    tmpDir: join(dataDir, 'tmp'),
    ownsDatasets: settings.datasetsDir === null,
    makesSample:
      settings.datasetsDir === null &&
      env[variableOf('dataDir')] === undefined &&
      env['NODE_ENV'] !== 'production',
    corsExposeHeaders:
      settings.corsExposeHeaders.length > 0 ? settings.corsExposeHeaders : readableHeaders(settings.name),
  })
  const warnings = unknownVariables(env).map(warningOf)
  if (settings.adminPassword === SETTINGS.adminPassword.fallback && !isLoopback(settings.host))
    warnings.push(
      `The super-user has the password of the documentation, and the service listens on ${settings.host || 'all addresses'}: whoever reaches it can be the super-user. Set SERVICE_ADMIN_PASSWORD, or SERVICE_HOST=127.0.0.1.`,
    )
  return { config, warnings }
}

/** Throws `SettingError` if tokens are accepted, and it is not known of whom. */
function requireIssuer({ oidcEnabled, oidcIssuer, oidcJwksUrl }: Settings): void {
  if (!oidcEnabled) return
  const missing = [
    ...(oidcIssuer === null ? [variableOf('oidcIssuer')] : []),
    ...(oidcJwksUrl === null ? [variableOf('oidcJwksUrl')] : []),
  ]
  if (missing.length > 0)
    throw new SettingError(`${variableOf('oidcEnabled')}=true needs ${missing.join(' and ')}.`)
  const url = URL.parse(oidcJwksUrl ?? '')
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new SettingError(
      `${variableOf('oidcJwksUrl')} must be an address of http or https, not ${JSON.stringify(oidcJwksUrl)}.`,
    )
  // Such addresses cannot be fetched.
  if (url.username !== '' || url.password !== '')
    throw new SettingError(`${variableOf('oidcJwksUrl')} must not have a user or a password.`)
}

export function queryIdHeader(name: string): string {
  return `x-${name}-query-id`
}

export function noticeHeader(name: string): string {
  return `x-${name}-notice`
}

/** Headers of answers that pages may read by default, besides those that every page may read. */
function readableHeaders(name: string): readonly string[] {
  return [queryIdHeader(name), noticeHeader(name), 'ETag', 'Content-Range', 'Retry-After', 'Mcp-Session-Id']
}

/** Whether only this machine reaches the address. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/i.test(host)
}

/** The settings that the caller may see, by the names of their variables in lower case and without the prefix. */
export function shownSettings(config: Config, forSuperUser: boolean): Record<string, unknown> {
  const shown = Object.entries(SETTINGS).filter(
    ([, { shownTo }]) => shownTo === 'everybody' || (shownTo === 'super-user' && forSuperUser),
  )
  return Object.fromEntries(
    shown.map(([key]) => [variableOf(key).slice(PREFIX.length).toLowerCase(), config[key as keyof Settings]]),
  )
}

function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const settings: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(SETTINGS)) {
    const variable = givenVariable(key, env)
    const given = env[variable]
    const value = given === undefined ? setting.fallback : setting.parse(given)
    if (value === undefined)
      throw new SettingError(
        `${variable} must be ${setting.expects}${setting.shownTo === 'nobody' ? '' : `, not ${JSON.stringify(given)}`}.`,
      )
    settings[key] = value
  }
  return settings as Settings
}

/** The variable that has the value of a setting: that of another name if it is given alone. */
function givenVariable(key: string, env: Readonly<Record<string, string | undefined>>): string {
  const variable = variableOf(key)
  const others = OTHER_VARIABLES.flatMap(({ name, means }) => (means === key ? [PREFIX + name] : []))
  return env[variable] === undefined
    ? (others.find((other) => env[other] !== undefined) ?? variable)
    : variable
}

/** The warning about a variable that is no setting. */
function warningOf(variable: string): string {
  const other = otherVariable(variable.slice(PREFIX.length))
  if (other === null) return `${variable} is not a setting of this service.`
  if (other.means !== null)
    return `${variable} is another name of a setting; ${other.instead}, which counts if both are given.`
  return `${variable} has no effect: ${other.instead}.`
}

function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const variables = new Set(Object.keys(SETTINGS).map(variableOf))
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !variables.has(name))
    .sort()
}
