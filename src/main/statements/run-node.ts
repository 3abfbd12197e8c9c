import type {
  AddRule,
  Attach,
  CreateCrawler,
  CreateRole,
  CreateSecret,
  CreateUser,
  Detach,
  DropCrawler,
  DropRole,
  DropSecret,
  DropUser,
  Later,
  RemoveRule,
  RoleOfUser,
  StatementNode,
} from '../sql/grammar/node.ts'
import type { StatementContext } from './context.ts'
import { createRole, dropRole } from './handlers/accounts/roles.ts'
import { addRule, removeRule } from './handlers/accounts/rules.ts'
import { changeRoleOfUser, createUser, dropUser } from './handlers/accounts/users.ts'
import { analyzeFiles } from './handlers/analyze-files.ts'
import { attach, detach } from './handlers/attach.ts'
import { createCrawler, dropCrawler, runCrawler, showCrawlers } from './handlers/crawlers.ts'
import { createExternalTable } from './handlers/create-external-table.ts'
import { createView } from './handlers/create-view.ts'
import { describe, summarize } from './handlers/describe.ts'
import { drop } from './handlers/drop.ts'
import { dropExtension, setExtension, setExtensions, showExtensions } from './handlers/extensions.ts'
import { refresh } from './handlers/refresh.ts'
import { createSecret, dropSecret, showSecrets } from './handlers/secrets.ts'
import { showColumns, showCreateTable, showFunctions, showTables } from './handlers/show.ts'

/** Statements whose answers have no rows and no columns. */
export type Command = TableCommand | AccountCommand | SecretCommand | CrawlerCommand

/** Commands on tables and views. */
export type TableCommand = Extract<
  StatementNode,
  {
    readonly kind:
      | 'create_external_table'
      | 'create_view'
      | 'drop'
      | 'refresh'
      | 'set_extension'
      | 'set_extensions'
      | 'drop_extension'
  }
>

/** Commands on users, roles and rules. */
type AccountCommand = CreateUser | DropUser | CreateRole | DropRole | RoleOfUser | AddRule | RemoveRule

/** Commands on secrets and attached catalogs. */
type SecretCommand = CreateSecret | DropSecret | Attach | Detach

/** Commands on crawlers. RUN CRAWLER is none: its answer has a row. */
export type CrawlerCommand = CreateCrawler | DropCrawler

/** Statements whose answers have rows: those of a query that is written for them. */
export type Looking = Exclude<StatementNode, Command | Later>

export function isCommand(node: StatementNode): node is Command {
  return isTableCommand(node) || isAccountCommand(node) || isSecretCommand(node) || isCrawlerCommand(node)
}

export function isCrawlerCommand(node: StatementNode): node is CrawlerCommand {
  return node.kind === 'create_crawler' || node.kind === 'drop_crawler'
}

/** Whether a statement changes something, or may. */
export function isChanging(node: StatementNode): boolean {
  return (
    isCommand(node) || node.kind === 'run_crawler' || node.kind === 'analyze_files' || node.kind === 'later'
  )
}

export function isTableCommand(node: StatementNode): node is TableCommand {
  switch (node.kind) {
    case 'create_external_table':
    case 'create_view':
    case 'drop':
    case 'refresh':
    case 'set_extension':
    case 'set_extensions':
    case 'drop_extension':
      return true
    default:
      return false
  }
}

function isAccountCommand(node: StatementNode): node is AccountCommand {
  switch (node.kind) {
    case 'create_user':
    case 'drop_user':
    case 'create_role':
    case 'drop_role':
    case 'grant_role':
    case 'revoke_role':
    case 'add_rule':
    case 'remove_rule':
      return true
    default:
      return false
  }
}

function isSecretCommand({ kind }: StatementNode): boolean {
  return kind === 'create_secret' || kind === 'drop_secret' || kind === 'attach' || kind === 'detach'
}

/** Whether only the super-user may run a statement. The others read what their caller may read, as queries do. */
export function needsSuperUser({ kind }: StatementNode): boolean {
  return !OF_EVERYBODY.has(kind)
}

const OF_EVERYBODY: ReadonlySet<StatementNode['kind']> = new Set([
  'describe',
  'summarize',
  'show_tables',
  'show_columns',
  'show_functions',
  'show_extensions',
])

/** Runs a command. Rejects with `ServiceError`. */
export async function runCommand(node: Command, context: StatementContext): Promise<void> {
  switch (node.kind) {
    case 'create_external_table':
      return createExternalTable(node, context)
    case 'create_view':
      return createView(node, context)
    case 'drop':
      return drop(node, context)
    case 'refresh':
      return refresh(node, context)
    case 'set_extension':
      return setExtension(node, context)
    case 'set_extensions':
      return setExtensions(node, context)
    case 'drop_extension':
      return dropExtension(node, context)
    case 'create_user':
      return createUser(node, context)
    case 'drop_user':
      return dropUser(node, context)
    case 'create_role':
      return createRole(node, context)
    case 'drop_role':
      return dropRole(node, context)
    case 'grant_role':
    case 'revoke_role':
      return changeRoleOfUser(node, context)
    case 'add_rule':
      return addRule(node, context)
    case 'remove_rule':
      return removeRule(node, context)
    case 'attach':
      return attach(node, context)
    case 'detach':
      return detach(node, context)
    case 'create_secret':
      return createSecret(node, context)
    case 'drop_secret':
      return dropSecret(node, context)
    case 'create_crawler':
      return createCrawler(node, context)
    case 'drop_crawler':
      return dropCrawler(node, context)
  }
}

/** The query whose rows are the answer to a statement. Rejects with `ServiceError`. */
export async function queryOf(node: Looking, context: StatementContext): Promise<string> {
  switch (node.kind) {
    case 'show_tables':
      return showTables(node, context)
    case 'show_columns':
      return showColumns(node, context)
    case 'show_functions':
      return showFunctions(node, context)
    case 'show_create_table':
      return showCreateTable(node, context)
    case 'show_secrets':
      return showSecrets(node, context)
    case 'show_extensions':
      return showExtensions(node, context)
    case 'describe':
      return describe(node, context)
    case 'summarize':
      return summarize(node, context)
    case 'show_crawlers':
      return showCrawlers(node, context)
    case 'run_crawler':
      return runCrawler(node, context)
    case 'analyze_files':
      return analyzeFiles(node, context)
  }
}
