import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { HashLane, HashQueue } from './hash-queue.ts'
import { type HashCost, type PasswordHash, parseHash, printHash } from './password-hash.ts'

/** The least that OWASP advises for Argon2id: some 20 ms of a core. */
const COST: HashCost = Object.freeze({ memory: 19 * 1024, passes: 2, lanes: 1 })

const SALT_BYTES = 16
const TAG_BYTES = 32

/**
 * The hash of a password with a salt of its own, as the PHC string that is stored. It goes before the checks of those who are not
 * known yet: only the super-user makes users. Rejects as `HashQueue.run` does.
 */
export async function hashPassword(password: string, queue: HashQueue, signal: AbortSignal): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await queue.run(() => tagOf(password, COST, salt, TAG_BYTES), signal, 'trusted')
  return printHash({ cost: COST, salt, tag })
}

/**
 * Whether a password is the one of a stored hash. Of null, and of a text that is no hash, no password is, and to say so takes as long.
 * Rejects as `HashQueue.run` does.
 */
export async function isPassword(
  password: string,
  stored: string | null,
  queue: HashQueue,
  signal: AbortSignal,
  lane?: HashLane,
): Promise<boolean> {
  const hash = parseHash(stored ?? NOBODY_STORED)
  const { cost, salt, tag } = hash ?? NOBODY
  const given = await queue.run(() => tagOf(password, cost, salt, tag.length), signal, lane)
  const isEqual = timingSafeEqual(given, tag)
  return isEqual && hash !== null && stored !== null
}

/** Compared with where there is no hash. */
const NOBODY: PasswordHash = Object.freeze({
  cost: COST,
  salt: randomBytes(SALT_BYTES),
  tag: randomBytes(TAG_BYTES),
})
const NOBODY_STORED = printHash(NOBODY)

function tagOf(
  password: string,
  { memory, passes, lanes }: HashCost,
  salt: Buffer,
  tagLength: number,
): Promise<Buffer> {
  return argon2id({ message: password, nonce: salt, memory, passes, parallelism: lanes, tagLength })
}

const derive = promisify(argon2)

/** Argon2id (RFC 9106), in a thread of libuv's pool. */
export function argon2id(parameters: Argon2Parameters): Promise<Buffer> {
  return derive('argon2id', parameters)
}
