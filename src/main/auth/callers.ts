import { type Caller, createCaller } from './caller.ts'
import type { Directory, DirectorySnapshot, StoredUser } from './directory/directory.ts'
import { ANONYMOUS, ANONYMOUS_NAME, type Principal } from './principal.ts'
import { EVERYTHING, type Rights, rightsOf } from './rights/rights.ts'

/** Makes the callers of requests, with the rights that their roles have now. */
export interface Callers {
  readonly superUser: Caller
  /** The caller of a request without credentials. Without anonymous access it has no roles. */
  anonymous(): Caller
  stored(user: StoredUser): Caller
  /** A principal with these roles, of which those that do not exist have no effect. */
  withRoles(principal: Principal, roles: readonly string[]): Caller
}

export interface CallersOptions {
  readonly adminUsername: string
  /** Whether rules have an effect. */
  readonly authEnforce: boolean
  readonly authAnonymousEnabled: boolean
}

/** Callers are made once for each user and each set of roles of a token, until anything in the directory changes. */
export function createCallers(directory: Directory, options: CallersOptions): Callers {
  const superUser = createCaller({ source: 'configuration', name: options.adminUsername }, true, EVERYTHING)
  let cachedCallers = remember(directory.snapshot(), options)

  function now(): Remembering {
    const snapshot = directory.snapshot()
    if (cachedCallers.snapshot !== snapshot) cachedCallers = remember(snapshot, options)
    return cachedCallers
  }

  return {
    superUser,
    anonymous: () => now().anonymous,
    stored: (user) => now().stored(user),
    withRoles: (principal, roles) => createCaller(principal, false, now().rights(roles)),
  }
}

/** The callers of one snapshot. */
interface Remembering {
  readonly snapshot: DirectorySnapshot
  readonly anonymous: Caller
  stored(user: StoredUser): Caller
  rights(roles: readonly string[]): Rights
}

/** The most sets of roles whose rights are remembered. */
const MOST_SETS = 1024

function remember(
  snapshot: DirectorySnapshot,
  { authEnforce, authAnonymousEnabled }: CallersOptions,
): Remembering {
  const users = new Map<string, Caller>()
  const sets = new Map<string, Rights>()

  function rights(roles: readonly string[]): Rights {
    if (!authEnforce) return EVERYTHING
    const key = JSON.stringify([...new Set(roles)].filter((name) => snapshot.roles.has(name)).toSorted())
    const roleRights = sets.get(key) ?? rightsOf(snapshot, roles, authEnforce)
    if (sets.size < MOST_SETS) sets.set(key, roleRights)
    return roleRights
  }

  const anonymousRoles = authAnonymousEnabled ? (snapshot.users.get(ANONYMOUS_NAME)?.roles ?? []) : []
  return {
    snapshot,
    rights,
    anonymous: createCaller(ANONYMOUS, false, rights(anonymousRoles)),
    stored(user) {
      const caller =
        users.get(user.name) ?? createCaller({ source: 'stored', name: user.name }, false, rights(user.roles))
      users.set(user.name, caller)
      return caller
    },
  }
}
