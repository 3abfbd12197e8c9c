import { isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { isLoopback } from '../allowed-hosts.ts'
import type { DatabaseTarget } from '../databases/database-target.ts'
import { tlsOptions } from '../databases/tls-options.ts'
import type { RemoteErrors } from '../remote-errors.ts'
import { ed25519Signature, SIGNED_BYTES } from './ed25519.ts'
import { serverError } from './faults.ts'
import { END, ERROR, MORE_DATA, measure, OK, readBody } from './packet.ts'
import type { PacketStream } from './packet-stream.ts'
import { CHALLENGE_BYTES, clearPassword, encryptedPassword, SCRAMBLES } from './scrambles.ts'

/** What client and server can do (MySQL, "Capabilities Flags"). Files of the client are none of it. */
const LONG_PASSWORD = 0x1
const LONG_FLAG = 0x4
const WITH_DATABASE = 0x8
const PROTOCOL_41 = 0x200
const TLS = 0x800
const TRANSACTIONS = 0x2000
const SECURE = 0x8000
const PLUGINS = 0x8_0000
const MEASURED_ANSWER = 0x20_0000

const CAPABILITIES =
  LONG_PASSWORD | LONG_FLAG | PROTOCOL_41 | TRANSACTIONS | SECURE | PLUGINS | MEASURED_ANSWER

/** The version of the greeting. */
const GREETING = 10
/** utf8mb4_general_ci */
const UTF8MB4 = 45
const MOST_PACKET_BYTES = 1 << 24
const FILLER = Buffer.alloc(23)
/** Bytes of the greeting without a meaning here. */
const RESERVED_BYTES = 10
/** The first part of a challenge. */
const FIRST_BYTES = 8

const NATIVE = 'mysql_native_password'
const CACHING_SHA2 = 'caching_sha2_password'
/** What MariaDB calls it for clients. Its challenge comes when it is asked for alone, and not with the greeting. */
const ED25519 = 'client_ed25519'
/** How logins are called that send the password itself. */
const IN_CLEAR: ReadonlySet<string> = new Set(['mysql_clear_password', 'sha256_password'])

/** What `caching_sha2_password` says and is told. */
const ACCEPTED = 3
const ASKS_PASSWORD = 4
const ASK_KEY = Buffer.from([2])

/** A login asks back so often at most. */
const MOST_ROUNDS = 8

interface Greeting {
  readonly threadId: number
  readonly capabilities: number
  readonly plugin: string
  readonly challenge: Buffer
}

/**
 * Answers the greeting of a server, in TLS unless `sslMode` is `disable`, and logs in. The result is the number of the connection there. Rejects
 * with `remote_refused`, with errors of the connection, and with a `RangeError` for packets that end too soon.
 */
export async function logIn(
  socket: Socket,
  stream: PacketStream,
  target: DatabaseTarget,
  errors: RemoteErrors,
  onTls: (socket: TLSSocket) => void,
): Promise<number> {
  const greeting = greetingIn(await stream.packet(), errors)
  const capabilities =
    (CAPABILITIES | (target.database === '' ? 0 : WITH_DATABASE)) &
    (greeting.capabilities | LONG_PASSWORD | LONG_FLAG)
  const isTls = target.sslMode !== 'disable'
  if (isTls) {
    if ((greeting.capabilities & TLS) === 0)
      throw errors.refused('offers no TLS; sslmode says whether it may be asked without')
    stream.send(responseHead(capabilities | TLS))
    const secure = connectTls({
      ...tlsOptions(target.sslMode),
      socket,
      host: target.host,
      ...(isIP(target.host) === 0 && { servername: target.host }),
    })
    stream.continueOn(secure)
    onTls(secure)
  }
  const plugin = SCRAMBLES.has(greeting.plugin) ? greeting.plugin : NATIVE
  stream.send(
    Buffer.concat([
      responseHead(capabilities | (isTls ? TLS : 0)),
      Buffer.from(`${target.user}\0`),
      measure(scramble(plugin, target.password, greeting.challenge)),
      Buffer.from(target.database === '' ? '' : `${target.database}\0`),
      Buffer.from(`${plugin}\0`),
    ]),
  )
  await answerQuestions(stream, { plugin, challenge: greeting.challenge }, target, errors)
  return greeting.threadId
}

function greetingIn(body: Buffer, errors: RemoteErrors): Greeting {
  // It is no place for the login yet: the host is refused, or there are too many connections.
  if (body[0] === ERROR) throw serverError(body, errors, 'has refused the connection')
  const reader = readBody(body)
  if (reader.uint(1) !== GREETING) throw errors.refused('does not greet as MySQL does')
  reader.textToZero()
  const threadId = reader.uint(4)
  const first = reader.bytes(FIRST_BYTES)
  reader.bytes(1)
  const low = reader.uint(2)
  reader.bytes(3)
  const capabilities = low | (reader.uint(2) << 16)
  reader.bytes(1 + RESERVED_BYTES)
  if ((capabilities & PROTOCOL_41) === 0 || (capabilities & SECURE) === 0)
    throw errors.refused('is too old: MySQL 5.7 or MariaDB 10.2 is the least')
  const second = reader.bytes(CHALLENGE_BYTES - FIRST_BYTES)
  const hasPlugin = (capabilities & PLUGINS) !== 0
  if (hasPlugin) reader.bytes(1)
  return {
    threadId,
    capabilities,
    challenge: Buffer.concat([first, second]),
    plugin: hasPlugin ? reader.textToZero() : NATIVE,
  }
}

/** What a request for TLS is, and a login begins with. */
function responseHead(capabilities: number): Buffer {
  const head = Buffer.alloc(9)
  head.writeInt32LE(capabilities, 0)
  head.writeUInt32LE(MOST_PACKET_BYTES, 4)
  head[8] = UTF8MB4
  return Buffer.concat([head, FILLER])
}

/** The answer to a challenge. Empty where the plugin has none without further questions. */
function scramble(plugin: string, password: string, challenge: Buffer): Buffer {
  if (plugin === ED25519) return ed25519Signature(password, challenge)
  return SCRAMBLES.get(plugin)?.(password, challenge) ?? Buffer.alloc(0)
}

interface Asked {
  readonly plugin: string
  readonly challenge: Buffer
}

async function answerQuestions(
  stream: PacketStream,
  first: Asked,
  target: DatabaseTarget,
  errors: RemoteErrors,
): Promise<void> {
  let asked = first
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const body = await stream.packet()
    switch (body[0]) {
      case OK:
        return
      case ERROR:
        throw serverError(body, errors, 'has refused the login')
      case END:
        asked = readSwitch(body, errors)
        if (IN_CLEAR.has(asked.plugin) && target.password !== '') requireTls(target, errors)
        stream.send(
          IN_CLEAR.has(asked.plugin)
            ? clearPassword(target.password)
            : scramble(asked.plugin, target.password, asked.challenge),
        )
        break
      case MORE_DATA:
        await answerMore(stream, body, asked, target, errors)
        break
      default:
        throw errors.refused('has sent what is no packet of MySQL')
    }
  }
  throw errors.refused('asks for ever how to log in')
}

/** Another way to log in, which the server asks for. */
function readSwitch(body: Buffer, errors: RemoteErrors): Asked {
  const reader = readBody(body.subarray(1))
  const plugin = body.length === 1 ? 'mysql_old_password' : reader.textToZero()
  if (plugin === ED25519) return { plugin, challenge: reader.bytes(SIGNED_BYTES) }
  if (!SCRAMBLES.has(plugin) && !IN_CLEAR.has(plugin))
    throw errors.refused(
      'asks for a login that this service has not; have it ask for mysql_native_password, caching_sha2_password or ed25519',
      plugin,
    )
  if (IN_CLEAR.has(plugin)) return { plugin, challenge: Buffer.alloc(0) }
  return { plugin, challenge: reader.bytes(CHALLENGE_BYTES) }
}

/** The server knows the password not yet by its hash, and asks for itself. */
async function answerMore(
  stream: PacketStream,
  body: Buffer,
  { plugin, challenge }: Asked,
  target: DatabaseTarget,
  errors: RemoteErrors,
): Promise<void> {
  if (plugin !== CACHING_SHA2 || body.length !== 2)
    throw errors.refused('has sent what is no packet of MySQL')
  if (body[1] === ACCEPTED) return
  if (body[1] !== ASKS_PASSWORD) throw errors.refused('has sent what is no packet of MySQL')
  if (target.sslMode !== 'disable') {
    stream.send(clearPassword(target.password))
    return
  }
  // The key is that of whoever answers, and on this machine nobody else can.
  if (!isLoopback(target.host)) requireTls(target, errors)
  stream.send(ASK_KEY)
  const key = await stream.packet()
  if (key[0] !== MORE_DATA) throw errors.refused('has sent what is no packet of MySQL')
  stream.send(encryptedPassword(target.password, challenge, key.subarray(1)))
}

function requireTls({ sslMode }: DatabaseTarget, errors: RemoteErrors): void {
  if (sslMode === 'disable')
    throw errors.refused(
      'asks for the password in a form that others could read: use TLS (sslmode), or a user of mysql_native_password',
    )
}
