import { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { withCompressed } from '../../../plan/format/extensions.ts'
import type { FormatRow } from '../../../plan/format/format-row.ts'
import { readTableOptions } from '../../../plan/format/read-table-options.ts'
import { didYouMean } from '../../../plan/nearest-name.ts'
import type { CreateExternalTable } from '../../sql/grammar/node.ts'
import type { LocationSource, RemoteSource } from '../catalog.ts'
import { partitionFields } from '../declared-columns.ts'
import { DATABASES, databaseSourceOf } from './database-source.ts'
import { REMOTE, remoteSourceOf } from './remote-source.ts'

/**
 * Where the rows of an external table are. Throws `not_supported` for a format that is not known or not read, and for partitions of
 * datasets that are folders; `invalid_sql` for an option or a type that is not known, and for the location of a table in another service that is
 * none.
 */
export function sourceOf(statement: CreateExternalTable, formats: Formats): LocationSource | RemoteSource {
  if (statement.format === REMOTE) return remoteSourceOf(statement, formats)
  const database = DATABASES.get(statement.format)
  if (database !== undefined) return databaseSourceOf(statement, database, formats)
  const row = formatNamed(statement.format, formats)
  const options = readTableOptions(row, statement.options, (what) => {
    throw new ServiceError('invalid_sql', `OPTIONS: ${what}.`)
  })
  const partitions = partitionFields(statement)
  if (partitions.length > 0 && row.storage.kind === 'folder')
    throw new ServiceError(
      'not_supported',
      `${row.title} does not support partitioned tables (PARTITIONED BY ${partitions.map(({ name }) => name).join(', ')}): ` +
        'the stores of a location are scanned as one unit. Leave out the clause; a location may be a pattern, such as year=2024/*.',
    )
  return Object.freeze({
    kind: 'location',
    format: formats.withOptions(row, options),
    location: statement.location,
    extensions: row.datasets.flatMap(({ extensions }) =>
      extensions.flatMap((extension) => withCompressed(row, extension)),
    ),
    partitions,
  })
}

/** A source whose login the options of its statement have. `login`: its name. Undefined: they have none. */
export function withLogin(
  source: LocationSource | RemoteSource,
  login: string | undefined,
): LocationSource | RemoteSource {
  if (login === undefined || source.kind !== 'remote') return source
  return Object.freeze({ ...source, secret: login, hasOwnLogin: true })
}

function formatNamed(name: string, formats: Formats): FormatRow {
  const row = formats.storedAs.get(name)
  if (row !== undefined) return row
  const names = [...formats.storedAs.keys(), REMOTE, ...DATABASES.keys()]
  throw new ServiceError(
    'not_supported',
    `STORED AS ${name}: no such file format was found${didYouMean(name, names)}; there are ${names.join(', ')}.`,
  )
}
