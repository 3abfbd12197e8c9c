import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { didYouMean } from '../../../plan/nearest-name.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { AttachedCatalog } from '../../catalog/attached/attached.ts'
import { answerFormat } from '../../remotes/answer-form.ts'
import { kindOfScheme } from '../../remotes/databases/database-kinds.ts'
import { readSslMode } from '../../remotes/databases/database-options.ts'
import { readDatabaseUrl } from '../../remotes/databases/database-url.ts'
import { loginOfSecret, secretTypeOf } from '../../remotes/login-of-secret.ts'
import type {
  RemoteAddress,
  RemoteClient,
  RemoteLogin,
  RemoteTable,
  SslMode,
} from '../../remotes/remote-client.ts'
import { printEndpoint } from '../../remotes/remote-errors.ts'
import { readServiceUrl } from '../../remotes/remote-url.ts'
import { createSecrets } from '../../secrets/create-secrets.ts'
import { secretOfLogin } from '../../secrets/secret-of-login.ts'
import { RESERVED_CATALOGS } from '../../sql/gate/attached-name.ts'
import { isSystemRelation } from '../../sql/gate/forbidden.ts'
import { SHOWN_KEYS } from '../../sql/grammar/families/remotes/attach.ts'
import type { Attach, Detach } from '../../sql/grammar/node.ts'
import { MASK } from '../../sql/grammar/texts.ts'
import type { RunCommand, StatementContext } from '../context.ts'

/** The most attached catalogs. */
const MOST_ATTACHED = 100

/** ATTACH: asks another service for its tables, which go by the name from then on. If it does not answer, nothing has changed. */
export const attach: RunCommand<Attach> = async (node, context) => {
  const { attached, remotes, formats, catalog, attachMs = ANSWER_MS, signal } = context
  requireName(node.name, context)
  const options = readOptions(node, context.hidden)
  const address = addressOf(node.url, options, catalog.name)
  requireLogin(options, address)
  if (options.isPersistent) requireStorable(options, context)
  const login =
    options.secret === null ? options.login : loginOfSecret(context.secrets, options.secret, address.kind)
  const client = remotes.open(address, login, { hops: 0, isSuperUser: true })
  const tables = await listedWithin(client, address, attachMs, signal).finally(client.close)
  const secret =
    options.secret === null
      ? await sealLogin(options.login, address, signal)
      : ({ secret: options.secret, ownSecrets: null } as const)
  await attached.put(
    Object.freeze({
      name: node.name,
      address,
      ...secret,
      format: answerFormat(address, formats),
      tables,
      isPersistent: options.isPersistent,
    }),
    signal,
  )
}

/** A login is stored as a persistent secret alone. */
function requireStorable({ secret, login }: AttachOptions, { secrets }: StatementContext): void {
  if (login !== 'anonymous')
    throw refusal(
      "A catalog that outlives the process has no login of the statement: write CREATE PERSISTENT SECRET with the login, and name it by the option 'secret'.",
    )
  if (secrets.list().some(({ name, isPersistent }) => name === secret && !isPersistent))
    throw refusal(
      'The secret ends with the process, and the catalog does not: write CREATE PERSISTENT SECRET of the same name, which takes its place.',
    )
}

/** Where the URL leads. Throws `invalid_sql`. */
function addressOf(url: string, { tls, sslMode }: AttachOptions, name: string): RemoteAddress {
  const kind = kindOfScheme(/^([a-z]+):/i.exec(url)?.[1] ?? '')
  if (kind !== null) {
    if (tls !== null) throw refusal('"tls" is for services; of a database "sslmode" tells how it is asked.')
    return readDatabaseUrl(url, kind, sslMode)
  }
  if (sslMode !== undefined)
    throw refusal('"sslmode" is for databases; of a service "tls" tells how it is asked.')
  return readServiceUrl(url, name, tls)
}

/** A database has no tokens, and may know a user who needs no password. */
function requireLogin({ login }: AttachOptions, { kind }: RemoteAddress): void {
  if (login === 'anonymous') return
  const hasToken = 'token' in login
  if (kind !== 'service' && hasToken) throw refusal('A token is for services; a database has users.')
  if (kind === 'service' && !hasToken && login.password === undefined)
    throw refusal('A username needs a password.')
}

/** The most milliseconds in which the other service has to answer. */
const ANSWER_MS = 10_000

/** The tables of another service. Each failure is a 400 that names it. */
async function listedWithin(
  client: Pick<RemoteClient, 'listTables'>,
  { host, port }: RemoteAddress,
  ms: number,
  signal: AbortSignal,
): Promise<readonly RemoteTable[]> {
  const limit = AbortSignal.timeout(ms)
  const refused = (message: string, cause: unknown): ServiceError =>
    new ServiceError('remote_refused', message, { cause, quotesNothing: true })
  try {
    return await client.listTables(AbortSignal.any([signal, limit]))
  } catch (error) {
    if (isServiceError(error)) throw refused(error.message, error)
    if (!limit.aborted || signal.aborted) throw error
    throw refused(`${printEndpoint(host, port)} has not answered within ${ms / 1000} s.`, error)
  }
}

/** DETACH: the name means nothing any more, and connections that no query uses are closed. Queries that run go on. */
export const detach: RunCommand<Detach> = async ({ name }, { attached, remotes, signal }) => {
  if (!(await attached.drop(name, signal)))
    throw new ServiceError(
      'unknown_table',
      `No catalog ${JSON.stringify(name.slice(0, 255))} is attached${
        didYouMean(
          name,
          attached.list().map((each) => each.name),
        ) || '; FROM system.attached lists them.'
      }`,
    )
  remotes.closeUnused()
}

function requireName(name: string, { attached, catalog }: StatementContext): void {
  const folded = foldSqlName(name)
  const fault = !/^[a-z_][a-z0-9_]{0,62}$/.test(folded)
    ? 'it is a word of at most 63 letters, digits and "_"'
    : folded === catalog.name
      ? "it is that of the service's own catalog"
      : RESERVED_CATALOGS.has(folded) || folded.startsWith('__') || isSystemRelation(folded)
        ? 'it is reserved'
        : attached.find(name) === null && attached.list().length >= MOST_ATTACHED
          ? `there are ${MOST_ATTACHED} attached catalogs already`
          : null
  if (fault !== null) throw refusal(`The name of the catalog is not available: ${fault}.`)
}

interface AttachOptions {
  /** The name of a secret. Null: there is none. */
  readonly secret: string | null
  readonly login: RemoteLogin
  /** Null: as the address says. */
  readonly tls: boolean | null
  /** Undefined: as the secret says, or the host. */
  readonly sslMode: SslMode | undefined
  readonly isPersistent: boolean
}

const KEYS = ['username', 'user', 'password', 'token', 'secret', 'tls', 'sslmode', 'persistent']

function readOptions({ options }: Attach, hidden: readonly string[]): AttachOptions {
  const values = new Map<string, string>()
  let index = 0
  for (const { key, value } of options) {
    if (!KEYS.includes(key)) throw refusal(`An option of ATTACH is ${KEYS.join(', ')}; this one has another.`)
    const text = SHOWN_KEYS.has(key) ? value : (hidden[index++] ?? '')
    if (text === MASK) throw refusal(`'${MASK}' stands for a value that is not printed; write the value.`)
    if (text === '') throw refusal('The value of an option is not empty.')
    values.set(key, text)
  }
  if (values.has('user') && values.has('username'))
    throw refusal('"user" and "username" are the same option.')
  const [user, password, token] = [
    values.get('username') ?? values.get('user'),
    values.get('password'),
    values.get('token'),
  ]
  const secret = values.get('secret') ?? null
  if (secret !== null && (user ?? password ?? token) !== undefined)
    throw refusal('A secret has the login: give the secret, or a login in the statement, not both.')
  if (token !== undefined && (user ?? password) !== undefined)
    throw refusal('A login is a token, or a username with a password, not both.')
  if (password !== undefined && user === undefined) throw refusal('A password needs a username.')
  const login =
    token !== undefined
      ? { token }
      : user !== undefined
        ? { user, ...(password !== undefined && { password }) }
        : ('anonymous' as const)
  return {
    secret,
    login,
    tls: flagOf('tls', values),
    isPersistent: flagOf('persistent', values) === true,
    sslMode: readSslMode(values.get('sslmode'), (what) => {
      throw refusal(`The option ${what}.`)
    }),
  }
}

function flagOf(key: string, values: ReadonlyMap<string, string>): boolean | null {
  const text = values.get(key)?.toLowerCase()
  if (text === undefined) return null
  if (['true', '1', 'yes', 'on'].includes(text)) return true
  if (['false', '0', 'no', 'off'].includes(text)) return false
  throw refusal(`The option "${key}" is true or false.`)
}

/**
 * A login of a statement as a secret that nobody can name, encrypted as temporary ones are. It is there as long as something may ask by it:
 * the attached catalog, or a query that began before it was detached.
 */
async function sealLogin(
  login: RemoteLogin,
  { kind }: RemoteAddress,
  signal: AbortSignal,
): Promise<Pick<AttachedCatalog, 'secret' | 'ownSecrets'>> {
  if (login === 'anonymous') return { secret: null, ownSecrets: null }
  const values: Readonly<Record<string, string>> =
    'token' in login
      ? login
      : {
          [kind === 'service' ? 'username' : 'user']: login.user ?? '',
          password: login.password ?? '',
        }
  const ownSecrets = createSecrets({ keys: [], commit: async () => undefined })
  const secret = secretOfLogin(secretTypeOf(kind), values, false)
  await ownSecrets.put(secret, signal)
  return { secret: secret.name, ownSecrets }
}

function refusal(message: string): ServiceError {
  return new ServiceError('invalid_sql', message, { quotesNothing: true })
}
