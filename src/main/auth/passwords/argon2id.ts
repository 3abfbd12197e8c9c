import { type Argon2Parameters, argon2 } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** Argon2id (RFC 9106), in a thread of libuv's pool. */
export function argon2id(parameters: Argon2Parameters): Promise<Buffer> {
  return derive('argon2id', parameters)
}
