/** A kind of databases that is read. */
export interface DatabaseKind {
  /** Where it listens unless told otherwise. */
  readonly port: number
  /** What its URLs begin with. */
  readonly schemes: readonly string[]
  /** Its names behind STORED AS. */
  readonly storedAs: readonly string[]
  /** The schema of a table whose name has none. '': the database in which the login is. */
  readonly defaultSchema: string
  /** The name of the database if none is given: that of the user, or none. */
  readonly hasDatabaseOfUser: boolean
}

/** By their names, which are also those of their secrets. */
export const DATABASE_KINDS = Object.freeze({
  postgres: {
    port: 5432,
    schemes: ['postgres', 'postgresql'],
    storedAs: ['POSTGRES', 'POSTGRESQL'],
    defaultSchema: 'public',
    hasDatabaseOfUser: true,
  },
  mysql: {
    port: 3306,
    schemes: ['mysql', 'mariadb'],
    storedAs: ['MYSQL', 'MARIADB'],
    defaultSchema: '',
    hasDatabaseOfUser: false,
  },
} satisfies Record<string, DatabaseKind>)

export type DatabaseKindName = keyof typeof DATABASE_KINDS

export const DATABASE_KIND_NAMES = Object.freeze(Object.keys(DATABASE_KINDS) as DatabaseKindName[])

/** The kind of databases whose URLs have a scheme, in any case. Null: there is none. */
export function kindOfScheme(scheme: string): DatabaseKindName | null {
  const lower = scheme.toLowerCase()
  return (
    DATABASE_KIND_NAMES.find((name) => DATABASE_KINDS[name].schemes.some((each) => each === lower)) ?? null
  )
}
