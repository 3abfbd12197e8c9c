/** Messages of the protocol (PostgreSQL, "Message Formats"): a code, and a length that counts itself. */
const HEAD_BYTES = 5
const LENGTH_BYTES = 4

/**
 * Which bodies are as the protocol has them, by their codes. The parser of `pg` looks for the end of a text beyond the message, for ever if
 * there is none, so only messages in which each text ends are given to it.
 */
const BODIES: Readonly<Record<string, (body: Buffer) => boolean>> = Object.freeze({
  R: isAuthentication,
  S: (body) => hasTexts(body, 0, 2),
  A: (body) => hasTexts(body, 4, 2),
  C: (body) => hasTexts(body, 0, 1),
  E: hasFields,
  N: hasFields,
  T: isRowDescription,
  D: (body) => body.length >= 2,
  K: (body) => body.length === 8,
  Z: (body) => body.length === 1,
  // Parsed, bound, closed, no data, suspended, an empty query.
  ...Object.fromEntries([...'123nsI'].map((code) => [code, (body: Buffer) => body.length === 0])),
})

/** Bytes as messages. */
interface WholeMessages {
  take(chunk: Buffer): void
  /** Counts bytes anew. */
  restart(): void
}

/**
 * Cuts bytes into messages, and gives each of them whole. Throws what `refuse` throws for what is none, or for more than `most` bytes in all.
 */
export function createWholeMessages(
  give: (message: Buffer) => void,
  most: number,
  refuse: (what: string) => never,
): WholeMessages {
  let rest: Buffer = Buffer.alloc(0)
  let bytes = 0
  return {
    restart() {
      bytes = 0
    },
    take(chunk) {
      bytes += chunk.length
      if (bytes > most) refuse(`has sent more than ${most} bytes where few are expected`)
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      while (rest.length >= HEAD_BYTES) {
        const length = rest.readUInt32BE(1)
        const isBody = BODIES[String.fromCharCode(rest[0] ?? 0)]
        if (isBody === undefined || length < LENGTH_BYTES || length > most)
          return refuse('has sent what is no message of PostgreSQL')
        if (rest.length < 1 + length) return
        const message = rest.subarray(0, 1 + length)
        if (!isBody(message.subarray(HEAD_BYTES))) return refuse('has sent what is no message of PostgreSQL')
        rest = rest.subarray(1 + length)
        give(message)
      }
    },
  }
}

/** Whether so many texts lie from `from` on, each with a zero behind it, and nothing behind the last. */
function hasTexts(body: Buffer, from: number, count: number): boolean {
  let at = from
  for (let i = 0; i < count; i++) {
    const end = at > body.length ? -1 : body.indexOf(0, at)
    if (end < 0) return false
    at = end + 1
  }
  return at === body.length
}

/** Fields of errors and notices: a letter and a text each, and a zero behind them. */
function hasFields(body: Buffer): boolean {
  let at = 0
  while (at < body.length && body[at] !== 0) {
    const end = body.indexOf(0, at + 1)
    if (end < 0) return false
    at = end + 1
  }
  return at === body.length - 1
}

const SASL = 10

/** A kind, and what belongs to it: of SASL, names of mechanisms with a zero behind them. */
function isAuthentication(body: Buffer): boolean {
  if (body.length < 4) return false
  return body.readInt32BE(0) !== SASL || (body.length >= 6 && body.at(-1) === 0 && body.at(-2) === 0)
}

/** What follows the name of a column: where it is from, its type, and its form. */
const COLUMN_BYTES = 18

function isRowDescription(body: Buffer): boolean {
  if (body.length < 2) return false
  let at = 2
  for (let i = body.readUInt16BE(0); i > 0; i--) {
    const end = at > body.length ? -1 : body.indexOf(0, at)
    if (end < 0) return false
    at = end + 1 + COLUMN_BYTES
  }
  return at === body.length
}
