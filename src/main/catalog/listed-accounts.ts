import { sortedByBytes } from '../../plan/byte-order.ts'
import type { DirectorySnapshot, Rule } from '../auth/directory/directory.ts'
import { ANONYMOUS_NAME } from '../auth/principal.ts'
import { PUBLIC } from './catalog.ts'

/** A user as the super-user sees it. */
export interface ListedUser {
  readonly username: string
  readonly roles: readonly string[]
  readonly is_super_user: boolean
  readonly is_anonymous: boolean
}

/** A role as the super-user sees it. */
export interface ListedRole {
  readonly name: string
  readonly grants: readonly ListedRule[]
  readonly denies: readonly ListedRule[]
}

interface ListedRule {
  readonly privilege: 'SELECT'
  readonly target_type: 'all' | 'path' | 'table'
  /** A glob, or the name of a table without quotes and without `public`. Null: the rule is about everything. */
  readonly target_value: string | null
}

/** The super-user, and then the stored users by name, in UTF-8 byte order. */
export function listUsers({ users }: DirectorySnapshot, superUser: string): readonly ListedUser[] {
  const first = { username: superUser, roles: [], is_super_user: true, is_anonymous: false }
  const stored = sortedByBytes([...users.keys()]).map((username) => ({
    username,
    roles: sortedByBytes([...(users.get(username)?.roles ?? [])]),
    is_super_user: false,
    is_anonymous: username === ANONYMOUS_NAME,
  }))
  return [first, ...stored]
}

/** The roles by name, each with its rules by type and value of their targets, in UTF-8 byte order. */
export function listRoles({ roles }: DirectorySnapshot): readonly ListedRole[] {
  return sortedByBytes([...roles.keys()]).map((name) => {
    const rules = roles.get(name)?.rules ?? []
    return { name, grants: listRules(rules, 'grant'), denies: listRules(rules, 'deny') }
  })
}

/** What `system.users` says: a row for each user, with its roles as JSON. */
export function userRows(snapshot: DirectorySnapshot, superUser: string): readonly AccountRow[] {
  return listUsers(snapshot, superUser).map(({ username, roles, is_super_user, is_anonymous }) => [
    username,
    JSON.stringify(roles),
    is_super_user,
    is_anonymous,
  ])
}

/** What `system.roles` says: a row for each role, with its rules as JSON. */
export function roleRows(snapshot: DirectorySnapshot): readonly AccountRow[] {
  return listRoles(snapshot).map(({ name, grants, denies }) => [
    name,
    JSON.stringify(grants),
    JSON.stringify(denies),
  ])
}

/** What `system.role_rules` says: a row for each rule. A role without rules has one row, which has its name alone. */
export function ruleRows(snapshot: DirectorySnapshot): readonly AccountRow[] {
  return listRoles(snapshot).flatMap(({ name, grants, denies }): readonly AccountRow[] => {
    const rows = [...rowsOf(name, 'grant', grants), ...rowsOf(name, 'deny', denies)]
    return rows.length === 0 ? [[name, null, null, null, null]] : rows
  })
}

/** The values of a row, one for each column of its relation (plan/statement/system-relations.ts). */
export type AccountRow = readonly (string | boolean | null)[]

function rowsOf(role: string, effect: Rule['effect'], rules: readonly ListedRule[]): readonly AccountRow[] {
  return rules.map(({ privilege, target_type, target_value }) => [
    role,
    effect,
    privilege,
    target_type,
    target_value,
  ])
}

function listRules(rules: readonly Rule[], effect: Rule['effect']): readonly ListedRule[] {
  const values = { all: [], path: [], table: [] } as Record<ListedRule['target_type'], string[]>
  for (const { effect: each, target } of rules)
    if (each === effect) values[target.kind].push(printedTarget(target))
  const types = ['all', 'path', 'table'] as const
  return types.flatMap((target_type) =>
    sortedByBytes(values[target_type]).map((value) => ({
      privilege: 'SELECT' as const,
      target_type,
      target_value: target_type === 'all' ? null : value,
    })),
  )
}

function printedTarget(target: Rule['target']): string {
  switch (target.kind) {
    case 'all':
      return ''
    case 'path':
      return target.glob
    case 'table':
      return target.schema === PUBLIC ? target.name : `${target.schema}.${target.name}`
  }
}
