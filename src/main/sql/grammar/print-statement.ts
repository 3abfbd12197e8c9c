import { printAnalyzeFiles } from './families/analyze-files.ts'
import { printCreateCrawler, printDropCrawler, printRunCrawler } from './families/crawlers.ts'
import { printDescribe, printSummarize } from './families/describe.ts'
import { printDrop } from './families/drop.ts'
import { printExtensionStatement } from './families/extensions.ts'
import { printExternalTable } from './families/external-table.ts'
import { printRefresh } from './families/refresh.ts'
import { printAttach, printDetach } from './families/remotes/attach.ts'
import { printCreateSecret, printDropSecret } from './families/remotes/secrets.ts'
import { printRole } from './families/roles.ts'
import { printRuleStatement } from './families/rules.ts'
import { printShow } from './families/show.ts'
import { printCreateUser, printDropUser, printRoleOfUser } from './families/users.ts'
import { printView } from './families/view.ts'
import type { StatementNode } from './node.ts'

/** The text of a statement. It is parsed to the same node, and has neither passwords nor values of secrets. */
export function printStatement(node: StatementNode): string {
  switch (node.kind) {
    case 'create_external_table':
      return printExternalTable(node)
    case 'create_view':
      return printView(node)
    case 'drop':
      return printDrop(node)
    case 'refresh':
      return printRefresh(node)
    case 'show_tables':
    case 'show_columns':
    case 'show_functions':
    case 'show_create_table':
    case 'show_secrets':
    case 'show_crawlers':
      return printShow(node)
    case 'set_extension':
    case 'set_extensions':
    case 'drop_extension':
    case 'show_extensions':
      return printExtensionStatement(node)
    case 'describe':
      return printDescribe(node)
    case 'summarize':
      return printSummarize(node)
    case 'create_user':
      return printCreateUser(node)
    case 'drop_user':
      return printDropUser(node)
    case 'create_role':
    case 'drop_role':
      return printRole(node)
    case 'grant_role':
    case 'revoke_role':
      return printRoleOfUser(node)
    case 'add_rule':
    case 'remove_rule':
      return printRuleStatement(node)
    case 'create_secret':
      return printCreateSecret(node)
    case 'drop_secret':
      return printDropSecret(node)
    case 'attach':
      return printAttach(node)
    case 'detach':
      return printDetach(node)
    case 'create_crawler':
      return printCreateCrawler(node)
    case 'run_crawler':
      return printRunCrawler(node)
    case 'drop_crawler':
      return printDropCrawler(node)
    case 'analyze_files':
      return printAnalyzeFiles(node)
    case 'later':
      return node.words
  }
}
