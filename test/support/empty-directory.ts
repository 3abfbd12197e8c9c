import { ANONYMOUS_USER, type DirectorySnapshot } from '../../src/main/auth/directory/directory.ts'

/** A directory in which there is the user `anonymous` alone, who has no roles. */
export const EMPTY_DIRECTORY: DirectorySnapshot = Object.freeze({
  users: new Map([[ANONYMOUS_USER.name, ANONYMOUS_USER]]),
  roles: new Map(),
})
