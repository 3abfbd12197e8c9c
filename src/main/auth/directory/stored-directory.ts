import { ServiceError } from '../../../plan/errors.ts'
import { parsePath } from '../../patterns/path.ts'
import { parseHash } from '../passwords/password-hash.ts'
import { ANONYMOUS_NAME } from '../principal.ts'
import type { DirectorySnapshot, Role, Rule, RuleTarget, StoredUser } from './directory.ts'

/** All users and roles as they are stored (catalog/store/open-catalog.ts). */
export interface StoredDirectory {
  readonly users: readonly StoredUserRow[]
  readonly roles: readonly StoredRoleRow[]
}

export interface StoredUserRow {
  readonly name: string
  readonly password: string | null
  /** The names of its roles as JSON. */
  readonly roles: string
}

export interface StoredRoleRow {
  readonly name: string
  readonly rules: string
}

/** A directory that was read, and the names of users that could not be. */
export interface ReadDirectory {
  readonly snapshot: DirectorySnapshot
  readonly unreadable: readonly string[]
}

/** The rules of a role as JSON, to be read by `readDirectory`. */
export function rulesToJson(rules: readonly Rule[]): string {
  return JSON.stringify(rules.map(({ effect, target }) => ({ effect, ...target })))
}

/**
 * The users and roles that are stored. A user that cannot be read is left out, so that nobody can log in as it; `onUnreadable` is
 * told. Throws `internal` for such a role: what it denies would be allowed without it.
 */
export function readDirectory(
  { users, roles }: StoredDirectory,
  onUnreadable: (user: string, error: unknown) => void,
): ReadDirectory {
  const readRoles = new Map(roles.map((row) => [row.name, roleOf(row)]))
  const readUsers = new Map<string, StoredUser>()
  const unreadable: string[] = []
  for (const row of users)
    try {
      readUsers.set(row.name, userOf(row, readRoles))
    } catch (error) {
      unreadable.push(row.name)
      onUnreadable(row.name, error)
    }
  return { snapshot: Object.freeze({ users: readUsers, roles: readRoles }), unreadable }
}

function userOf({ name, password, roles }: StoredUserRow, roleByName: ReadonlyMap<string, Role>): StoredUser {
  const names: unknown = JSON.parse(roles)
  const isAnonymous = name === ANONYMOUS_NAME
  const isPassword = isAnonymous ? password === null : password !== null && parseHash(password) !== null
  // The hash is not in the message, which is logged.
  if (!isPassword) throw new TypeError('its password is not stored as one')
  if (!Array.isArray(names) || !names.every((role): role is string => roleByName.has(role)))
    throw new TypeError('it has a role that is not stored')
  return Object.freeze({ name, password, roles: Object.freeze(names.toSorted()) })
}

function roleOf({ name, rules }: StoredRoleRow): Role {
  try {
    const stored: unknown = JSON.parse(rules)
    if (!Array.isArray(stored)) throw new TypeError('its rules are no list')
    return Object.freeze({ name, rules: Object.freeze(stored.map(ruleOf)) })
  } catch (cause) {
    throw new ServiceError(
      'internal',
      `The stored role ${JSON.stringify(name)} cannot be read (${(cause as Error).message}). Without it, what it denies would be allowed: restore catalog.db from a backup.`,
      { cause },
    )
  }
}

function ruleOf(stored: unknown): Rule {
  const { effect, ...target } = Object(stored) as Readonly<Record<string, unknown>>
  if (effect !== 'grant' && effect !== 'deny') throw new TypeError('a rule neither grants nor denies')
  return Object.freeze({ effect, target: targetOf(target) })
}

function targetOf({ kind, schema, name, glob, ...rest }: Readonly<Record<string, unknown>>): RuleTarget {
  if (Object.keys(rest).length > 0) throw new TypeError('a rule has an unknown part')
  const isTable = typeof schema === 'string' && typeof name === 'string'
  if (kind === 'all') return ALL
  if (kind === 'table' && isTable) return Object.freeze({ kind, schema, name })
  if (kind === 'path' && typeof glob === 'string') {
    parsePath(glob)
    return Object.freeze({ kind, glob })
  }
  throw new TypeError('a rule is about nothing that is known')
}

const ALL: RuleTarget = Object.freeze({ kind: 'all' })
