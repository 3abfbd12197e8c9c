import type { Directory, DirectoryChange, Rule } from '../../src/main/auth/directory/directory.ts'

/** The hash of no password that anybody knows. */
const PASSWORD = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Stores a user with these roles. */
export function putUser(name: string, ...roles: readonly string[]): DirectoryChange {
  return { kind: 'put_user', user: { name, password: PASSWORD, roles: roles.toSorted() } }
}

/** Stores a role with these rules. */
export function putRole(name: string, ...rules: readonly Rule[]): DirectoryChange {
  return { kind: 'put_role', role: { name, rules } }
}

/** The roles of each user and the rules of each role. */
export function contentOf(directory: Directory) {
  const { users, roles } = directory.snapshot()
  return {
    users: Object.fromEntries(Array.from(users, ([name, user]) => [name, user.roles])),
    roles: Object.fromEntries(Array.from(roles, ([name, role]) => [name, role.rules])),
  }
}
