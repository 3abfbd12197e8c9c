import { quoteSqlName } from '../../../plan/statement/statement.ts'

/** Keywords of DuckDB that may be the name of a column or a table only in quotes. */
const RESERVED = new Set(
  `
  all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast
  check collate collation column concurrently constraint create cross default deferrable desc describe
  distinct do else end except false fetch for foreign freeze from full glob group having ilike in
  initially inner intersect into is isnull join lambda lateral leading left like limit natural not notnull
  null offset on only or order outer overlaps pivot pivot_longer pivot_wider placing positional primary
  qualify references returning right select semi show similar some summarize symmetric table tablesample
  then to trailing true union unique unpack unpivot using variadic verbose when where window with
`.split(/\s+/),
)

/** The other keywords of DuckDB: they may be the name of a column or a table, but not an alias without `AS`. */
const UNRESERVED = new Set(
  `
  abort absolute access action add admin after aggregate also alter always assertion assignment attach
  attribute backward before begin between bigint bit boolean cache call called cascade cascaded catalog
  centuries century chain char character characteristics checkpoint class close cluster coalesce columns
  comment comments commit committed compression configuration conflict connection constraints content
  continue conversion copy cost csv cube current cursor cycle data database day days deallocate dec decade
  decades decimal declare defaults deferred definer delete delimiter delimiters depends detach dictionary
  disable discard document domain double drop each enable encoding encrypted enum error escape event
  exclude excluding exclusive execute exists explain export export_state extension extensions external
  extract family filter first float following force forward function functions generated global grant
  granted grouping grouping_id groups handler header hold hour hours identity if ignore immediate
  immutable implicit import include including increment index indexes inherit inherits inline inout input
  insensitive insert install instead int integer interval invoker isolation json key label language large
  last leakproof level listen load local location lock locked logged macro map mapping match matched
  materialized maxvalue merge method microsecond microseconds millennia millennium millisecond
  milliseconds minute minutes minvalue mode month months move name names national nchar new next no none
  nothing notify nowait nullif nulls numeric object of off oids old operator option options ordinality
  others out over overlay overriding owned owner parallel parser partial partition partitioned passing
  password percent persistent plans policy position pragma preceding precision prepare prepared preserve
  prior privileges procedural procedure program publication quarter quarters quote range read real
  reassign recheck recursive ref referencing refresh reindex relative release rename repeatable replace
  replica reset respect restart restrict returns revoke role rollback rollup row rows rule sample
  savepoint schema schemas scope scroll search second seconds secret security sequence sequences
  serializable server session set setof sets share simple skip smallint snapshot sorted source sql stable
  standalone start statement statistics stdin stdout storage stored strict strip struct subscription
  substring sysid system tables tablespace target temp template temporary text ties time timestamp
  transaction transform treat trigger trim truncate trusted try_cast type types unbounded uncommitted
  unencrypted unknown unlisten unlogged until update use user vacuum valid validate validator value values
  varchar variable varying version view views virtual volatile week weeks whitespace within without work
  wrapper write xml xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi
  xmlroot xmlserialize xmltable year years yes zone
`.split(/\s+/),
)

/** Whether a bare word may be the name of a column or of a table. */
export function isName(word: string): boolean {
  return !RESERVED.has(word.toLowerCase())
}

/** Whether a bare word is a keyword. */
export function isKeyword(word: string): boolean {
  const lower = word.toLowerCase()
  return RESERVED.has(lower) || UNRESERVED.has(lower)
}

/** A name as DuckDB prints it in an expression: in quotes if it needs them. */
export function printIdentifier(name: string): string {
  const isBare = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isKeyword(name)
  return isBare ? name : quoteSqlName(name)
}
