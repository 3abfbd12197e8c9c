import type { OdvField } from '../../../../plan/output/odv-plan.ts'
import { ODV_FILES } from '../../../../plan/output/odv-stations.ts'
import { GENERATED_TYPES, type NamedColumn, type NamedColumns, TITLES, titleOf } from './odv-line.ts'
import { odvValueType } from './odv-types.ts'

/** The lines of comments with which each file begins, in the order of `ODV_FILES`. */
export function headsOf(columns: NamedColumns): readonly string[] {
  const { key, longitude, latitude, time, depth, data, meta, qfSchema } = columns
  const variable = (kind: string, label: string, type: string, comment: string, more = ''): string =>
    `//<${kind}>label="${escapeXml(label)}" value_type="${type}" qf_schema="${escapeXml(qfSchema)}" comment="${escapeXml(comment)}"${more}</${kind}>`
  const typeOf = ({ field }: Pick<NamedColumn, 'field'>): string => odvValueType(field.type) ?? 'INDEXED_TEXT'
  const describe = (kind: string, label: string, column: NamedColumn, more?: string): string =>
    variable(kind, label, typeOf(column), column.said.comment ?? '', more)
  const isPrimary = (primary: boolean): string => ` is_primary_variable="${primary ? 'T' : 'F'}"`
  return ODV_FILES.map(({ dataType, isByTime }) =>
    [
      '//<Encoding>UTF-8</Encoding>',
      '//<DataField>Ocean</DataField>',
      `//<DataType>${dataType}</DataType>`,
      '//',
      variable('MetaVariable', TITLES.key, typeOf(key), ''),
      variable('MetaVariable', TITLES.station, GENERATED_TYPES.station, ''),
      variable('MetaVariable', TITLES.type, GENERATED_TYPES.type, ''),
      describe('MetaVariable', TITLES.longitude, longitude),
      describe('MetaVariable', TITLES.latitude, latitude),
      ...meta.map((column) => describe('MetaVariable', titleOf(column.said), column)),
      '//',
      describe('DataVariable', titleOf(depth.said), depth, isPrimary(!isByTime)),
      describe('DataVariable', TITLES.isoTime, time, isPrimary(isByTime)),
      ...data.map((column) => describe('DataVariable', titleOf(column.said), column)),
      '//',
      '',
    ].join('\n'),
  )
}

/** The line of titles, which a file has in front of its first row. */
export function titleLine(line: readonly OdvField[]): string {
  return `${line.map(({ title }) => quote(title)).join('\t')}\n`
}

function quote(title: string): string {
  return title.includes('"') ? `"${title.replaceAll('"', '""')}"` : title
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
