import { ServiceError } from '../../plan/errors.ts'

/**
 * The functions of DuckDB's C API (duckdb.h of v1.4) that are used. Addresses, handles, enums and booleans are numbers; 64-bit
 * integers are bigints. The module exports the functions for loadable extensions. Its version is pinned.
 */
export interface Api {
  duckdb_malloc(bytes: number): number
  duckdb_free(address: number): void
  duckdb_library_version(): number

  duckdb_create_config(config: number): number
  duckdb_set_config(config: number, name: number, option: number): number
  duckdb_destroy_config(config: number): void
  duckdb_open_ext(path: number, database: number, config: number, error: number): number
  duckdb_connect(database: number, connection: number): number

  duckdb_query(connection: number, sql: number, result: number): number
  duckdb_extract_statements(connection: number, sql: number, statements: number): bigint
  duckdb_extract_statements_error(statements: number): number
  duckdb_prepare_extracted_statement(
    connection: number,
    statements: number,
    index: bigint,
    statement: number,
  ): number
  duckdb_destroy_extracted(statements: number): void
  duckdb_prepare_error(statement: number): number
  duckdb_prepared_statement_type(statement: number): number
  duckdb_nparams(statement: number): bigint
  duckdb_destroy_prepare(statement: number): void
  duckdb_pending_prepared_streaming(statement: number, pending: number): number
  duckdb_pending_execute_task(pending: number): number
  duckdb_pending_error(pending: number): number
  duckdb_execute_pending(pending: number, result: number): number
  duckdb_destroy_pending(pending: number): void

  duckdb_prepared_statement_column_count(statement: number): bigint
  duckdb_prepared_statement_column_name(statement: number, index: bigint): number
  duckdb_prepared_statement_column_logical_type(statement: number, index: bigint): number
  duckdb_fetch_chunk(result: number): number
  duckdb_get_profiling_info(connection: number): number
  duckdb_profiling_info_get_child_count(info: number): bigint
  duckdb_profiling_info_get_child(info: number, index: bigint): number
  duckdb_profiling_info_get_value(info: number, key: number): number
  duckdb_result_error(result: number): number
  duckdb_destroy_result(result: number): void
  duckdb_connection_get_arrow_options(connection: number, options: number): void
  duckdb_destroy_arrow_options(options: number): void
  duckdb_to_arrow_schema(options: number, types: number, names: number, count: bigint, schema: number): number
  duckdb_data_chunk_to_arrow(options: number, chunk: number, array: number): number
  duckdb_error_data_has_error(error: number): number
  duckdb_error_data_message(error: number): number
  duckdb_destroy_error_data(error: number): void

  duckdb_create_data_chunk(types: number, columns: bigint): number
  duckdb_data_chunk_get_column_count(chunk: number): bigint
  duckdb_data_chunk_get_size(chunk: number): bigint
  duckdb_data_chunk_set_size(chunk: number, rows: bigint): void
  duckdb_data_chunk_get_vector(chunk: number, column: bigint): number
  duckdb_destroy_data_chunk(chunk: number): void
  duckdb_create_vector(type: number, capacity: bigint): number
  duckdb_destroy_vector(vector: number): void
  duckdb_vector_size(): bigint
  duckdb_vector_get_data(vector: number): number
  duckdb_vector_get_column_type(vector: number): number
  duckdb_vector_get_validity(vector: number): number
  duckdb_vector_ensure_validity_writable(vector: number): void
  duckdb_vector_assign_string_element_len(vector: number, row: bigint, text: number, bytes: bigint): void
  duckdb_create_selection_vector(rows: bigint): number
  duckdb_destroy_selection_vector(selection: number): void
  duckdb_selection_vector_get_data_ptr(selection: number): number
  duckdb_list_vector_get_child(vector: number): number
  duckdb_list_vector_set_size(vector: number, items: bigint): number
  duckdb_list_vector_reserve(vector: number, items: bigint): number
  duckdb_struct_vector_get_child(vector: number, field: bigint): number
  duckdb_array_vector_get_child(vector: number): number

  duckdb_create_logical_type(type: number): number
  duckdb_create_decimal_type(width: number, scale: number): number
  duckdb_create_list_type(item: number): number
  duckdb_create_array_type(item: number, size: bigint): number
  duckdb_create_map_type(key: number, value: number): number
  duckdb_create_struct_type(types: number, names: number, fields: bigint): number
  duckdb_destroy_logical_type(type: number): void
  duckdb_logical_type_set_alias(type: number, name: number): void
  duckdb_logical_type_get_alias(type: number): number
  duckdb_register_logical_type(connection: number, type: number, info: number): number
  duckdb_get_type_id(type: number): number
  duckdb_decimal_width(type: number): number
  duckdb_decimal_scale(type: number): number
  duckdb_list_type_child_type(type: number): number
  duckdb_array_type_child_type(type: number): number
  duckdb_array_type_array_size(type: number): bigint
  duckdb_map_type_key_type(type: number): number
  duckdb_map_type_value_type(type: number): number
  duckdb_struct_type_child_count(type: number): bigint
  duckdb_struct_type_child_name(type: number, field: bigint): number
  duckdb_struct_type_child_type(type: number, field: bigint): number

  duckdb_is_null_value(value: number): number
  duckdb_get_value_type(value: number): number
  duckdb_get_varchar(value: number): number
  duckdb_get_int64(value: number): bigint
  duckdb_get_list_size(value: number): bigint
  duckdb_get_list_child(value: number, index: bigint): number
  duckdb_get_bool(value: number): number
  duckdb_get_struct_child(value: number, field: bigint): number
  duckdb_get_map_size(value: number): bigint
  duckdb_get_map_key(value: number, index: bigint): number
  duckdb_get_map_value(value: number, index: bigint): number
  duckdb_destroy_value(value: number): void

  duckdb_create_table_function(): number
  duckdb_table_function_set_name(fn: number, name: number): void
  duckdb_table_function_add_parameter(fn: number, type: number): void
  duckdb_table_function_add_named_parameter(fn: number, name: number, type: number): void
  duckdb_table_function_set_bind(fn: number, bind: number): void
  duckdb_table_function_set_init(fn: number, init: number): void
  duckdb_table_function_set_function(fn: number, next: number): void
  duckdb_table_function_supports_projection_pushdown(fn: number, does: number): void
  duckdb_register_table_function(connection: number, fn: number): number
  duckdb_destroy_table_function(fn: number): void
  duckdb_bind_get_parameter_count(info: number): bigint
  duckdb_bind_get_parameter(info: number, index: bigint): number
  duckdb_bind_get_named_parameter(info: number, name: number): number
  duckdb_bind_add_result_column(info: number, name: number, type: number): void
  duckdb_bind_set_cardinality(info: number, rows: bigint, isExact: number): void
  duckdb_bind_set_bind_data(info: number, data: number, destroy: number): void
  duckdb_bind_set_error(info: number, message: number): void
  duckdb_init_get_bind_data(info: number): number
  duckdb_init_get_column_count(info: number): bigint
  duckdb_init_get_column_index(info: number, index: bigint): bigint
  duckdb_init_set_init_data(info: number, data: number, destroy: number): void
  duckdb_init_set_max_threads(info: number, threads: bigint): void
  duckdb_init_set_error(info: number, message: number): void
  duckdb_function_get_init_data(info: number): number
  duckdb_function_set_error(info: number, message: number): void

  duckdb_create_cast_function(): number
  duckdb_cast_function_set_source_type(cast: number, type: number): void
  duckdb_cast_function_set_target_type(cast: number, type: number): void
  duckdb_cast_function_set_implicit_cast_cost(cast: number, cost: bigint): void
  duckdb_cast_function_set_function(cast: number, run: number): void
  duckdb_cast_function_get_cast_mode(info: number): number
  duckdb_cast_function_set_error(info: number, message: number): void
  duckdb_cast_function_set_row_error(info: number, message: number, row: bigint, result: number): void
  duckdb_register_cast_function(connection: number, cast: number): number
  duckdb_destroy_cast_function(cast: number): void

  duckdb_create_scalar_function(): number
  duckdb_create_scalar_function_set(name: number): number
  duckdb_scalar_function_set_name(fn: number, name: number): void
  duckdb_scalar_function_add_parameter(fn: number, type: number): void
  duckdb_scalar_function_set_varargs(fn: number, type: number): void
  duckdb_scalar_function_set_return_type(fn: number, type: number): void
  duckdb_scalar_function_set_special_handling(fn: number): void
  duckdb_scalar_function_set_bind(fn: number, bind: number): void
  duckdb_scalar_function_set_function(fn: number, compute: number): void
  duckdb_scalar_function_set_error(info: number, message: number): void
  duckdb_scalar_function_bind_set_error(info: number, message: number): void
  duckdb_scalar_function_get_client_context(info: number, context: number): void
  duckdb_scalar_function_bind_get_argument_count(info: number): bigint
  duckdb_scalar_function_bind_get_argument(info: number, index: bigint): number
  duckdb_add_scalar_function_to_set(set: number, fn: number): number
  duckdb_register_scalar_function_set(connection: number, set: number): number
  duckdb_destroy_scalar_function(fn: number): void
  duckdb_destroy_scalar_function_set(set: number): void
  duckdb_expression_is_foldable(expression: number): number
  duckdb_expression_return_type(expression: number): number
  duckdb_expression_fold(context: number, expression: number, value: number): number
  duckdb_destroy_client_context(context: number): void
  duckdb_destroy_expression(expression: number): void

  duckdb_add_replacement_scan(database: number, replace: number, data: number, destroy: number): void
  duckdb_replacement_scan_set_function_name(info: number, name: number): void
  duckdb_replacement_scan_add_parameter(info: number, value: number): void
  duckdb_create_varchar(text: number): number

  /** `vector.Dictionary(dictionary, size, selection, rows)`: as `duckdb_slice_vector`, and DuckDB knows the dictionary's size. */
  vector_dictionary(vector: number, dictionary: number, size: bigint, selection: number, rows: bigint): void
  /** `DictionaryVector::SetDictionaryId(vector, id)`: dictionaries with the same id are equal for DuckDB. */
  vector_set_dictionary_id(vector: number, id: number): void

  // Functions in the catalog (catalog/function-catalog.ts). Names are the addresses of C++ strings.
  /** `ExtensionLoader(instance, name)`: makes one in memory at `loader`. */
  loader_create(loader: number, instance: number, name: number): number
  /** The address of a catalog entry, or 0: `loader->TryGetFunction(name)`. */
  loader_find_function(loader: number, name: number): number
  /** `loader->RegisterFunction(set)`: a new function, or overloads of one that exists. Takes what the set has. */
  loader_register_scalar_set(loader: number, set: number): void
  /** `loader->RegisterFunction(set)`: a new function. Takes what the set has. */
  loader_register_aggregate_set(loader: number, set: number): void
  /** Makes a copy of an overload in memory at `copy`: `set->GetFunctionByOffset(index)`. */
  scalar_set_copy(copy: number, set: number, index: bigint): void
  /** Makes a copy of an overload in memory at `copy`: `AggregateFunction(*from)`. */
  aggregate_copy(copy: number, from: number): number
  /** Removes an argument of a call and a parameter of its overload: `Function::EraseArgument(overload, arguments, index)`. */
  erase_argument(overload: number, args: number, index: bigint): void
  /** `to = from`, of two `LogicalType`s. */
  type_assign(to: number, from: number): number
  /** Copies the values from `from` up to `end` of a vector into another one, from `at` on: `VectorOperations::Copy`. */
  vector_copy(source: number, target: number, end: bigint, from: bigint, at: bigint): void
  /** Makes a FLOAT in memory at `value`: `Value::FLOAT(number)`. */
  value_float(value: number, number: number): void
  /** Makes the expression of a constant in memory at `expression`: `BoundConstantExpression(value)`. */
  constant_create(expression: number, value: number): number

  // Regular expressions (regex.ts).
  /** `duckdb_re2::Regex(pattern, options)`: makes one in memory at `regex`. */
  regex_create(regex: number, pattern: number, options: number): number
  regex_destroy(regex: number): number
  /** `RegexSearchInternal(text, bytes, match, *regex, anchor, from, to)`: whether there is a match, which is stored in `match`. */
  regex_search(
    text: number,
    bytes: number,
    match: number,
    re2: number,
    anchor: number,
    from: number,
    to: number,
  ): number
  // Exceptions (exception.ts). Texts are the addresses of C++ strings.
  /** `ErrorData(type, message)`: makes one in memory at `error`. */
  error_create(error: number, type: number, message: number): number
  /** `error->Throw(before)`: throws a C++ exception whose message begins with `before`. */
  error_throw(error: number, before: number): never
  error_destroy(error: number): number

  // What functions in JavaScript need beyond the C API (catalog/scalar-code.ts).
  /** Makes a vector flat: `vector->Flatten(rows)`. */
  vector_flatten(vector: number, rows: bigint): void

  // Casts (catalog/cast.ts). Types are addresses of a `LogicalType`, as handles of the C API are.
  /** `loader->RegisterCastFunction(source, target, bind, cost)`. */
  loader_register_cast(loader: number, source: number, target: number, bind: number, cost: bigint): void
  /** `DefaultCasts::GetDefaultCastFunction(input, source, target)`: makes the cast that DuckDB has in memory at `cast`. */
  default_cast(cast: number, input: number, source: number, target: number): void
  /** What choosing an overload counts for a cast that nobody has written; -1 if it is not allowed: `CastRules::ImplicitCast`. */
  implicit_cast_cost(source: number, target: number): bigint
}

/** C++ functions that have no counterpart in the C API, by their mangled names. */
const CPP = Object.freeze({
  vector_dictionary: 'orig$_ZN6duckdb6Vector10DictionaryERS0_yRKNS_15SelectionVectorEy',
  vector_set_dictionary_id:
    '_ZN6duckdb16DictionaryVector15SetDictionaryIdERNS_6VectorENSt3__212basic_stringIcNS3_11char_traitsIcEENS3_9allocatorIcEEEE',
  loader_create:
    '_ZN6duckdb15ExtensionLoaderC1ERNS_16DatabaseInstanceERKNSt3__212basic_stringIcNS3_11char_traitsIcEENS3_9allocatorIcEEEE',
  loader_find_function:
    '_ZN6duckdb15ExtensionLoader14TryGetFunctionERKNSt3__212basic_stringIcNS1_11char_traitsIcEENS1_9allocatorIcEEEE',
  loader_register_scalar_set: '_ZN6duckdb15ExtensionLoader16RegisterFunctionENS_17ScalarFunctionSetE',
  loader_register_aggregate_set: '_ZN6duckdb15ExtensionLoader16RegisterFunctionENS_20AggregateFunctionSetE',
  scalar_set_copy: 'orig$_ZN6duckdb11FunctionSetINS_14ScalarFunctionEE19GetFunctionByOffsetEy',
  aggregate_copy: '_ZN6duckdb17AggregateFunctionC2ERKS0_',
  erase_argument:
    'orig$_ZN6duckdb8Function13EraseArgumentERNS_14SimpleFunctionERNS_6vectorINS_10unique_ptrINS_10ExpressionENSt3__214default_deleteIS5_EELb1EEELb1EEEy',
  type_assign: '_ZN6duckdb11LogicalTypeaSERKS0_',
  vector_copy: 'orig$_ZN6duckdb16VectorOperations4CopyERKNS_6VectorERS1_yyy',
  value_float: '_ZN6duckdb5Value5FLOATEf',
  constant_create: '_ZN6duckdb23BoundConstantExpressionC1ENS_5ValueE',
  vector_flatten: 'orig$_ZN6duckdb6Vector7FlattenEy',
  regex_create:
    '_ZN10duckdb_re25RegexC1ERKNSt3__212basic_stringIcNS1_11char_traitsIcEENS1_9allocatorIcEEEENS_12RegexOptionsE',
  regex_destroy: '_ZN10duckdb_re25RegexD2Ev',
  regex_search: '_ZN10duckdb_re219RegexSearchInternalEPKcmRNS_5MatchERKNS_3RE2ENS4_6AnchorEmm',
  error_create:
    '_ZN6duckdb9ErrorDataC1ENS_13ExceptionTypeERKNSt3__212basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEE',
  error_throw:
    '_ZNK6duckdb9ErrorData5ThrowERKNSt3__212basic_stringIcNS1_11char_traitsIcEENS1_9allocatorIcEEEE',
  error_destroy: '_ZN6duckdb9ErrorDataD2Ev',
  loader_register_cast:
    'orig$_ZN6duckdb15ExtensionLoader20RegisterCastFunctionERKNS_11LogicalTypeES3_PFNS_13BoundCastInfoERNS_13BindCastInputES3_S3_Ex',
  default_cast: '_ZN6duckdb12DefaultCasts22GetDefaultCastFunctionERNS_13BindCastInputERKNS_11LogicalTypeES5_',
  implicit_cast_cost: 'orig$_ZN6duckdb9CastRules12ImplicitCastERKNS_11LogicalTypeES3_',
})

/** The C++ exports that {@link bindApi} needs. */
export const CPP_EXPORTS: ReadonlySet<string> = new Set(Object.values(CPP))

/**
 * The C API of an instance. The module exports functions with 64-bit parameters twice: by their names with each such parameter
 * split into two numbers, and by `orig$…` with bigints. Throws `internal` if a C++ function is missing.
 */
export function bindApi(exports: Readonly<Record<string, unknown>>): Api {
  const api: Record<string, unknown> = {}
  // V8 makes the object of an export when it is first accessed, so only those that are needed are accessed.
  for (const name of Object.keys(exports)) {
    if (name.startsWith('orig$duckdb_')) api[name.slice('orig$'.length)] = exports[name]
    else if (name.startsWith('duckdb_')) api[name] ??= exports[name]
  }
  for (const [name, symbol] of Object.entries(CPP)) {
    if (exports[symbol] === undefined)
      throw new ServiceError('internal', `duckdb-wasm has no ${symbol}, as 1.32.0 has`)
    api[name] = exports[symbol]
  }
  return api as unknown as Api
}
