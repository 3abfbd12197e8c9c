/** What to do about an error, by the beginning of its code: those of SQLite, and those of the system for the folder. */
const ADVICE: Readonly<Record<string, string>> = Object.freeze({
  SQLITE_BUSY:
    'another service uses it; stop that one, or give this one a folder of its own (SERVICE_TABLES_DIR)',
  SQLITE_READONLY: 'let the service write to the file and its folder',
  SQLITE_CANTOPEN: 'let the service write to the file and its folder',
  // SQLite opens a file that it may not write to for reading, and cannot lock it then.
  SQLITE_IOERR_LOCK: 'let the service write to the file and its folder',
  SQLITE_FULL: 'free some space on its disk',
  SQLITE_NOTADB: 'restore a backup, or move the file away',
  SQLITE_CORRUPT: 'restore a backup, or move the file away',
  EACCES: 'let the service write to the folder',
  EPERM: 'let the service write to the folder',
  EROFS: 'let the service write to the folder',
  ENOSPC: 'free some space on its disk',
})

/** Why a database cannot be used, and what to do about it if that is known. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const code = codeOf(error)
  const [, advice] = Object.entries(ADVICE).find(([prefix]) => code.startsWith(prefix)) ?? []
  return advice === undefined ? message : `${message}: ${advice}`
}

/** The code of an error of SQLite or of the system. Empty: it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
