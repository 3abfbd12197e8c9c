/** A kind of credentials, and the keys that such a secret may have. */
export interface SecretType {
  /** Its name as it is stored and listed. */
  readonly name: string
  /** The words for it behind TYPE, in upper case. */
  readonly words: readonly string[]
  /** The keys, in lower case, each with other words for it. Null: the keys are not checked, because this version does not use such secrets. */
  readonly keys: Readonly<Record<string, readonly string[]>> | null
}

/** The type of logins to another service of this kind. It is listed under the name of the product. */
export const SERVICE_TYPE = 'service'

const DATABASE_KEYS = Object.freeze({
  host: [],
  port: [],
  user: ['username'],
  password: ['pass'],
  database: ['dbname'],
  sslmode: [],
})

/** All types. `SERVICE_TYPE` also goes by the name of the product. */
export const SECRET_TYPES: readonly SecretType[] = Object.freeze([
  { name: SERVICE_TYPE, words: ['SERVICE'], keys: { username: ['user'], password: ['pass'], token: [] } },
  { name: 'postgres', words: ['POSTGRES', 'POSTGRESQL'], keys: DATABASE_KEYS },
  { name: 'mysql', words: ['MYSQL', 'MARIADB'], keys: DATABASE_KEYS },
  { name: 's3', words: ['S3'], keys: null },
  { name: 'gcs', words: ['GCS', 'GS'], keys: null },
  { name: 'azure', words: ['AZURE', 'AZ'], keys: null },
  { name: 'http', words: ['HTTP', 'HTTPS'], keys: null },
])

/** The type that a word in upper case means. Null: there is none. */
export function secretType(word: string, product: string): SecretType | null {
  const ownType =
    word === product.toUpperCase() ? SECRET_TYPES.find(({ name }) => name === SERVICE_TYPE) : undefined
  return ownType ?? SECRET_TYPES.find(({ words }) => words.includes(word)) ?? null
}

/** The key of a type that a word in lower case means. Null: the type has no such key. */
export function secretKey({ keys }: SecretType, word: string): string | null {
  if (keys === null) return word
  return Object.entries(keys).find(([key, others]) => key === word || others.includes(word))?.[0] ?? null
}
