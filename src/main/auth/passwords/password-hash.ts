/** The hash of a password by Argon2id, with what is needed to make it again. */
export interface PasswordHash {
  readonly cost: HashCost
  readonly salt: Buffer
  readonly tag: Buffer
}

/** What one hash takes. */
export interface HashCost {
  /** Memory in KiB. */
  readonly memory: number
  readonly passes: number
  readonly lanes: number
}

/** Bounds of what a stored text may ask for: the least of RFC 9106, and what one request may take. */
const MAX_MEMORY_KIB = 256 * 1024
const MAX_PASSES = 16
const MAX_LANES = 64
const MIN_KIB_OF_LANE = 8
const SALT_BYTES = { least: 8, most: 64 }
const TAG_BYTES = { least: 16, most: 64 }

/** Numbers have one form, and no more digits than their bounds. */
const NUMBER = '([1-9][0-9]{0,6})'
const PHC = new RegExp(
  `^\\$argon2id\\$v=19\\$m=${NUMBER},t=${NUMBER},p=${NUMBER}\\$([A-Za-z0-9+/]{1,86})\\$([A-Za-z0-9+/]{1,86})$`,
)

/** The hash as a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`, in base64 without padding. */
export function printHash({ cost: { memory, passes, lanes }, salt, tag }: PasswordHash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${base64(salt)}$${base64(tag)}`
}

/** Parses a PHC string. Null: it is none of Argon2id version 19 in its one form, or asks for more than one hash may take. */
export function parseHash(text: string): PasswordHash | null {
  const match = PHC.exec(text)
  if (match === null) return null
  const [, memory, passes, lanes, salt = '', tag = ''] = match
  const cost = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  const hash = { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
  const isSane =
    cost.memory <= MAX_MEMORY_KIB &&
    cost.memory >= MIN_KIB_OF_LANE * cost.lanes &&
    cost.passes <= MAX_PASSES &&
    cost.lanes <= MAX_LANES &&
    isWithin(hash.salt, SALT_BYTES) &&
    isWithin(hash.tag, TAG_BYTES)
  // Base64 of other bits behind the last byte, or of a length that it cannot have, is another text.
  return isSane && printHash(hash) === text ? hash : null
}

function isWithin({ length }: Buffer, { least, most }: typeof SALT_BYTES): boolean {
  return length >= least && length <= most
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
