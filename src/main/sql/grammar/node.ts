import type { MASK } from './texts.ts'

/**
 * Statements that are no queries, as they are parsed (docs/reference/statements.md). Nodes are frozen data: printed and parsed
 * again, a node is the same.
 */
export type StatementNode =
  | CreateExternalTable
  | CreateView
  | Drop
  | Refresh
  | ShowTables
  | ShowColumns
  | ShowFunctions
  | ShowCreateTable
  | ShowExtensions
  | SetExtension
  | SetExtensions
  | DropExtension
  | Describe
  | Summarize
  | CreateUser
  | DropUser
  | CreateRole
  | DropRole
  | RoleOfUser
  | AddRule
  | RemoveRule
  | CreateSecret
  | DropSecret
  | ShowSecrets
  | Attach
  | Detach
  | CreateCrawler
  | RunCrawler
  | ShowCrawlers
  | DropCrawler
  | AnalyzeFiles
  | Later

/** The statements whose nodes the catalog stores. */
export type CreateStatement = CreateExternalTable | CreateView

/** A name as it is written: `t`, `public.t` or `service.public.t`. A part is null if it is not written. */
export interface WrittenName {
  readonly catalog: string | null
  readonly schema: string | null
  readonly name: string
}

/** What CREATE does if there is a table or a view of that name: it fails, replaces that, or does nothing. */
export type IfExists = 'fail' | 'replace' | 'keep'

export interface CreateExternalTable {
  readonly kind: 'create_external_table'
  readonly name: WrittenName
  readonly ifExists: IfExists
  /** Null: the columns are those of the files. */
  readonly columns: readonly DeclaredColumn[] | null
  /** The name behind STORED AS, in upper case. */
  readonly format: string
  /** The columns of folders `key=value`, in the order of the path. */
  readonly partitions: readonly DeclaredPartition[]
  /** The columns behind WITH ORDER, as texts. They have no effect. */
  readonly order: readonly string[]
  /** A file, a glob, or a folder, relative to the dataset root. */
  readonly location: string
  /** Keys are in lower case, and no key occurs twice. */
  readonly options: readonly StatementOption[]
}

export interface DeclaredColumn {
  readonly name: string
  /** The type as it is written, in upper case, such as `DECIMAL(10, 2)`. */
  readonly type: string
  /** NOT NULL. It has no effect. */
  readonly isRequired: boolean
}

export interface DeclaredPartition {
  readonly name: string
  /** Null: the column has the type that the list of columns gives it, else it is text. */
  readonly type: string | null
}

export interface StatementOption {
  readonly key: string
  readonly value: string
}

export interface CreateView {
  readonly kind: 'create_view'
  readonly name: WrittenName
  readonly ifExists: IfExists
  /** The text of a query that has passed the gate. */
  readonly query: string
}

/** DROP TABLE and DROP VIEW, which drop either. */
export interface Drop {
  readonly kind: 'drop'
  readonly name: WrittenName
  readonly isIfExists: boolean
}

export interface Refresh {
  readonly kind: 'refresh'
  readonly name: WrittenName
}

export interface ShowTables {
  readonly kind: 'show_tables'
}

export interface ShowColumns {
  readonly kind: 'show_columns'
  readonly name: WrittenName
}

export interface ShowFunctions {
  readonly kind: 'show_functions'
  /** The pattern of LIKE. Null: all. */
  readonly pattern: string | null
}

export interface ShowCreateTable {
  readonly kind: 'show_create_table'
  readonly name: WrittenName
}

export interface ShowExtensions {
  readonly kind: 'show_extensions'
  readonly name: WrittenName
}

export interface SetExtension {
  readonly kind: 'set_extension'
  /** Its kind, as it is written. */
  readonly extension: string
  /** Of the table or the view. */
  readonly name: WrittenName
  /** The extension as JSON, as it is written. */
  readonly json: string
}

export interface SetExtensions {
  readonly kind: 'set_extensions'
  /** Of the table or the view. */
  readonly name: WrittenName
  /** All extensions that it shall have, as a JSON object by their kinds, as it is written. */
  readonly json: string
}

export interface DropExtension {
  readonly kind: 'drop_extension'
  readonly extension: string
  readonly name: WrittenName
}

export interface Describe {
  readonly kind: 'describe'
  readonly of: NameOrQuery
}

export interface Summarize {
  readonly kind: 'summarize'
  readonly of: NameOrQuery
}

/** A table or a view, or the text of a query that has passed the gate. */
export type NameOrQuery =
  | { readonly kind: 'name'; readonly name: WrittenName }
  | { readonly kind: 'query'; readonly text: string }

export interface CreateUser {
  readonly kind: 'create_user'
  /** Names of users and roles are compared exactly. */
  readonly name: string
  /** What stands in place of the password, which no node has. */
  readonly password: typeof MASK
}

export interface DropUser {
  readonly kind: 'drop_user'
  readonly name: string
}

export interface CreateRole {
  readonly kind: 'create_role'
  readonly name: string
}

export interface DropRole {
  readonly kind: 'drop_role'
  readonly name: string
}

/** GRANT ROLE and REVOKE ROLE. */
export interface RoleOfUser {
  readonly kind: 'grant_role' | 'revoke_role'
  readonly role: string
  readonly user: string
}

/** GRANT and DENY of a privilege. */
export interface AddRule {
  readonly kind: 'add_rule'
  readonly rule: WrittenRule
  readonly role: string
}

/** REVOKE and REVOKE DENY of a privilege. */
export interface RemoveRule {
  readonly kind: 'remove_rule'
  readonly rule: WrittenRule
  readonly role: string
}

export interface WrittenRule {
  readonly effect: 'grant' | 'deny'
  readonly privilege: Privilege
  readonly target: WrittenTarget
}

export type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'CREATE' | 'DROP' | 'ALL'

export type WrittenTarget =
  | { readonly kind: 'all' }
  | { readonly kind: 'table'; readonly name: WrittenName }
  | { readonly kind: 'path'; readonly glob: string }

export interface CreateSecret {
  readonly kind: 'create_secret'
  /** Names of secrets are compared exactly. */
  readonly name: string
  /** Whether it is stored. Otherwise it ends with the process. */
  readonly isPersistent: boolean
  /** Whether one of its name stays. Otherwise it is replaced. */
  readonly keepsExisting: boolean
  /** The word behind TYPE, in upper case. */
  readonly type: string
  readonly scope: string | null
  /** Keys in lower case, each once, and `MASK` in place of their values, which no node has. */
  readonly options: readonly StatementOption[]
}

export interface Attach {
  readonly kind: 'attach'
  /** Without user, password and query. */
  readonly url: string
  readonly name: string
  /** Keys in lower case, each once, and `MASK` in place of values that may be secrets. */
  readonly options: readonly StatementOption[]
}

export interface Detach {
  readonly kind: 'detach'
  readonly name: string
}

export interface DropSecret {
  readonly kind: 'drop_secret'
  readonly name: string
  readonly isIfExists: boolean
}

export interface ShowSecrets {
  readonly kind: 'show_secrets'
}

/** CREATE CRAWLER, which puts a crawler in place of that of its name. */
export interface CreateCrawler {
  readonly kind: 'create_crawler'
  /** Names of crawlers are compared exactly. */
  readonly name: string
  /** The text behind ON. Null: there is no ON. */
  readonly prefix: string | null
  /** What is behind WITH: what the crawler does, and the options of its tables. Keys are in lower case, and no key occurs twice. */
  readonly options: readonly StatementOption[]
}

export interface RunCrawler {
  readonly kind: 'run_crawler'
  readonly name: string
  /** DRY: what a run would do is reported, and nothing is changed. */
  readonly isDry: boolean
}

export interface ShowCrawlers {
  readonly kind: 'show_crawlers'
}

export interface DropCrawler {
  readonly kind: 'drop_crawler'
  readonly name: string
}

export interface AnalyzeFiles {
  readonly kind: 'analyze_files'
  /** A folder below the dataset root. Null: all of it. */
  readonly prefix: string | null
  /** FORCE: files are analyzed that have not changed. */
  readonly isForced: boolean
}

/** A statement that later versions will run. Only its first words are known, such as `CREATE INDEX`. */
export interface Later {
  readonly kind: 'later'
  readonly words: string
}
