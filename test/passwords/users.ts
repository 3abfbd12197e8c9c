import { randomBytes } from 'node:crypto'
import { type Authenticator, createAuthenticator } from '../../src/main/auth/authenticate.ts'
import { createCallers } from '../../src/main/auth/callers.ts'
import { createDirectory } from '../../src/main/auth/directory/create-directory.ts'
import type { Directory, DirectoryChange } from '../../src/main/auth/directory/directory.ts'
import { argon2id } from '../../src/main/auth/passwords/hash-password.ts'
import { createHashQueue, type HashLane, type HashQueue } from '../../src/main/auth/passwords/hash-queue.ts'
import { printHash } from '../../src/main/auth/passwords/password-hash.ts'
import type { RememberedPairsOptions } from '../../src/main/auth/passwords/remembered-pairs.ts'
import { EMPTY_DIRECTORY } from '../support/empty-directory.ts'

/** A signal that nobody aborts. */
export const { signal: STAYS } = new AbortController()

/** The hash of a password at the least cost that there is, so that tests can make many. */
async function cheapHash(password: string): Promise<string> {
  const cost = { memory: 8, passes: 1, lanes: 1 }
  const salt = randomBytes(8)
  const parameters = { message: password, nonce: salt, tagLength: 16, parallelism: 1, memory: 8, passes: 1 }
  return printHash({ cost, salt, tag: await argon2id(parameters) })
}

/** Makes a user, or puts it in the place of the one of its name. */
export async function putUser(
  directory: Directory,
  name: string,
  password: string,
  roles: readonly string[] = [],
): Promise<void> {
  const user = { name, password: await cheapHash(password), roles }
  await directory.change((): readonly DirectoryChange[] => [{ kind: 'put_user', user }], STAYS)
}

export async function dropUser(directory: Directory, name: string): Promise<void> {
  await directory.change((): readonly DirectoryChange[] => [{ kind: 'drop_user', name }], STAYS)
}

/** A queue that notes in which lanes hashes were made, and holds them back while it is told to. */
export interface NotingQueue extends HashQueue {
  readonly lanes: HashLane[]
  /** How many have been asked for, and how many of them were given up. */
  readonly asked: number
  readonly failed: number
  /** Hashes that begin from now on end when what this gives is called. */
  hold(): () => void
}

export function createNotingQueue(options = {}): NotingQueue {
  const queue = createHashQueue(options)
  const lanes: HashLane[] = []
  let held: Promise<void> = Promise.resolve()
  let asked = 0
  let failed = 0
  return {
    lanes,
    hasRoom: queue.hasRoom,
    get asked() {
      return asked
    },
    get failed() {
      return failed
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    async run(work, signal, lane = 'untrusted') {
      asked++
      try {
        return await queue.run(
          async () => {
            lanes.push(lane)
            await held
            return await work()
          },
          signal,
          lane,
        )
      } catch (error) {
        failed++
        throw error
      }
    },
  }
}

export interface Users {
  readonly directory: Directory
  readonly authenticator: Authenticator
  readonly hashes: NotingQueue
  /** Milliseconds that pass on the clock of what is remembered. */
  pass(ms: number): void
  /** Who has sent a header, as a gate asks. */
  who(header: string, signal?: AbortSignal): Promise<string>
}

export interface UsersOptions {
  readonly pairs?: RememberedPairsOptions
  readonly queue?: { readonly running?: number; readonly waiting?: number }
}

/** Users in memory whose hashes cost next to nothing, and who may log in. */
export function createUsers({ pairs, queue }: UsersOptions = {}): Users {
  const directory = createDirectory(EMPTY_DIRECTORY)
  const hashes = createNotingQueue(queue)
  const config = {
    adminUsername: 'service-admin',
    adminPassword: 'service-password',
    authEnforce: true,
    authAnonymousEnabled: true,
  }
  let clock = 0
  const authenticator = createAuthenticator({
    ...config,
    callers: createCallers(directory, config),
    directory,
    hashes,
    pairs: { now: () => clock, ...pairs },
  })
  return {
    directory,
    authenticator,
    hashes,
    pass(ms) {
      clock += ms
    },
    async who(header, signal = STAYS) {
      const caller = authenticator.cachedCaller(header) ?? (await authenticator.check(header, signal))
      if ('status' in caller) return String(caller.status)
      return `${caller.principal.source} ${caller.principal.name}`
    },
  }
}
