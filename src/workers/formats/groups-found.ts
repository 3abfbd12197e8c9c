/** Thrown by `Provider.open` for a store with several groups that are datasets, if the plan does not say which of them is read. */
class GroupsFound extends Error {
  override readonly name = 'GroupsFound'
  readonly groups: readonly string[]

  constructor(path: string, groups: readonly string[]) {
    super(`"${path}" has ${groups.length} groups`)
    this.groups = groups
  }
}

/**
 * `groups` are the keys of the groups in the order of their rows: plain names with `/` between them, at least two groups. Each of
 * them becomes a file of the plan (`FolderRef.group`) and is opened by itself.
 */
export function groupsFound(path: string, groups: readonly string[]): Error {
  return new GroupsFound(path, groups)
}

/** The groups in an error. Null: it has none. */
export function groupsOfError(error: unknown): readonly string[] | null {
  return error instanceof GroupsFound ? error.groups : null
}
