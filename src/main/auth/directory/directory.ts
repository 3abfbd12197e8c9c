import { ANONYMOUS_NAME } from '../principal.ts'

/** A user that is stored. Names of users and roles are compared exactly. */
export interface StoredUser {
  readonly name: string
  /** The hash of the password as a PHC string. Null: nobody can log in as this user, who is `anonymous`. */
  readonly password: string | null
  /** In the order of their UTF-16 units, each once. All of them exist. */
  readonly roles: readonly string[]
}

/** A role: the rules that its users have. */
export interface Role {
  readonly name: string
  /** Each once. Their order means nothing. */
  readonly rules: readonly Rule[]
}

/** A rule about what may be read. SELECT is the only privilege. */
export interface Rule {
  readonly effect: 'grant' | 'deny'
  readonly target: RuleTarget
}

export type RuleTarget =
  | { readonly kind: 'all' }
  /** A table or a view, whether or not there is one of this name. Names are compared as SQL compares them. */
  | { readonly kind: 'table'; readonly schema: string; readonly name: string }
  /** A path or a glob of files, relative to the dataset root, as it was written. */
  | { readonly kind: 'path'; readonly glob: string }

/** The users and roles at one moment. A change makes another one, which shares the maps that it leaves as they are. */
export interface DirectorySnapshot {
  readonly users: ReadonlyMap<string, StoredUser>
  readonly roles: ReadonlyMap<string, Role>
}

export type DirectoryChange =
  | { readonly kind: 'put_user'; readonly user: StoredUser }
  | { readonly kind: 'drop_user'; readonly name: string }
  | { readonly kind: 'put_role'; readonly role: Role }
  /** Takes the role from its users as well. */
  | { readonly kind: 'drop_role'; readonly name: string }

/** The users, roles and rules. */
export interface Directory {
  /** Never changes. */
  snapshot(): DirectorySnapshot
  /** Whether a user of this name is stored that cannot be read. There is no such user until it is dropped and created again. */
  isUnreadable(name: string): boolean
  /**
   * Makes the changes durable, all of them or none, and puts a new snapshot in place of the present one. The function is called when
   * all earlier changes have been made; if it throws, nothing is changed. If the signal is aborted before the commit has begun,
   * nothing is changed either. Rejects as `Catalog.change` does.
   */
  change(changes: () => readonly DirectoryChange[], signal: AbortSignal): Promise<void>
}

/** The user `anonymous` before anybody has given it roles. */
export const ANONYMOUS_USER: StoredUser = Object.freeze({
  name: ANONYMOUS_NAME,
  password: null,
  roles: Object.freeze([]),
})

/** The directory after some changes, one after the other. */
export function applyChanges(
  { users, roles }: DirectorySnapshot,
  changes: readonly DirectoryChange[],
): DirectorySnapshot {
  let after = { users, roles }
  for (const change of changes) after = afterChange(after, change)
  return Object.freeze(after)
}

function afterChange({ users, roles }: DirectorySnapshot, change: DirectoryChange): DirectorySnapshot {
  switch (change.kind) {
    case 'put_user':
      return { users: new Map(users).set(change.user.name, change.user), roles }
    case 'drop_user':
      return { users: without(users, change.name), roles }
    case 'put_role':
      return { users, roles: new Map(roles).set(change.role.name, change.role) }
    case 'drop_role':
      return { users: withoutRole(users, change.name), roles: without(roles, change.name) }
  }
}

function without<T>(map: ReadonlyMap<string, T>, name: string): ReadonlyMap<string, T> {
  const remainingEntries = new Map(map)
  remainingEntries.delete(name)
  return remainingEntries
}

function withoutRole(users: ReadonlyMap<string, StoredUser>, role: string): ReadonlyMap<string, StoredUser> {
  if (![...users.values()].some(({ roles }) => roles.includes(role))) return users
  return new Map(
    Array.from(users, ([name, user]) => [
      name,
      user.roles.includes(role)
        ? Object.freeze({ ...user, roles: user.roles.filter((each) => each !== role) })
        : user,
    ]),
  )
}
