/**
 * Handles of the core's columns, masks, tables of groups and orders. They are indexes into its tables, not addresses. A handle
 * must not be used after it was freed.
 */
export type Column = number & { readonly __column: unique symbol }
export type Mask = number & { readonly __mask: unique symbol }
export type Groups = number & { readonly __groups: unique symbol }
export type Order = number & { readonly __order: unique symbol }
