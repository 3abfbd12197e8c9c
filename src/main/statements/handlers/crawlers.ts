import { unlessAborted } from '../../../plan/unless-aborted.ts'
import { crawlerRecord } from '../../crawlers/crawler.ts'
import { reportRecord } from '../../crawlers/run/report.ts'
import type { CreateCrawler, DropCrawler, RunCrawler, ShowCrawlers } from '../../sql/grammar/node.ts'
import type { RunCommand, WriteQuery } from '../context.ts'
import { type WrittenColumn, writeRows } from '../write/write-rows.ts'

/** CREATE CRAWLER: stores a crawler in place of that of its name. It does not run. */
export const createCrawler: RunCommand<CreateCrawler> = (node, { crawlers, signal }) =>
  crawlers.define(node, signal)

/** DROP CRAWLER: its tables stay. */
export const dropCrawler: RunCommand<DropCrawler> = ({ name }, { crawlers, signal }) =>
  crawlers.drop(name, signal)

const CRAWLER_COLUMNS: readonly WrittenColumn[] = [
  { name: 'name', type: 'VARCHAR' },
  { name: 'target_prefix', type: 'VARCHAR' },
  { name: 'format_filter', type: 'VARCHAR' },
  { name: 'detect_partitions', type: 'BOOLEAN' },
  { name: 'schedule_secs', type: 'UBIGINT' },
  { name: 'event_driven', type: 'BOOLEAN' },
  { name: 'table_naming', type: 'VARCHAR' },
  { name: 'options', type: 'VARCHAR' },
]

/** SHOW CRAWLERS: a row for each crawler, by name. */
export const showCrawlers: WriteQuery<ShowCrawlers> = async (_, { crawlers }) =>
  writeRows(
    CRAWLER_COLUMNS,
    crawlers.list().map((crawler) => {
      const record = crawlerRecord(crawler)
      return [
        record.name,
        record.target_prefix,
        record.format_filter === null ? null : record.format_filter.join(','),
        record.detect_partitions,
        record.schedule_secs,
        record.event_driven,
        record.table_naming,
        JSON.stringify(record.options),
      ]
    }),
  )

const REPORT_COLUMNS: readonly WrittenColumn[] = [
  { name: 'crawler', type: 'VARCHAR' },
  { name: 'discovered', type: 'UBIGINT' },
  { name: 'created', type: 'VARCHAR' },
  { name: 'updated', type: 'VARCHAR' },
  { name: 'skipped', type: 'VARCHAR' },
  { name: 'failed', type: 'VARCHAR' },
  { name: 'skipped_files', type: 'UBIGINT' },
  { name: 'vanished', type: 'VARCHAR' },
  { name: 'unread', type: 'VARCHAR' },
  { name: 'dry_run', type: 'BOOLEAN' },
]

/** RUN CRAWLER: runs it, and answers with one row. The run goes on if the client leaves. */
export const runCrawler: WriteQuery<RunCrawler> = async ({ name, isDry }, { crawlers, signal }) => {
  const record = reportRecord(await unlessAborted(crawlers.run(name, isDry), signal))
  return writeRows(REPORT_COLUMNS, [
    [
      record.crawler,
      record.discovered,
      JSON.stringify(record.created),
      JSON.stringify(record.updated),
      JSON.stringify(record.skipped),
      JSON.stringify(record.failed),
      record.skipped_files,
      JSON.stringify(record.vanished),
      JSON.stringify(record.unread),
      record.dry_run,
    ],
  ])
}
