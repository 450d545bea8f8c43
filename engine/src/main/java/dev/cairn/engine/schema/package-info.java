/**
 * The descriptions of tables, families and regions: immutable values, parsed once from the
 * attributes that clients send and the data folder holds. They keep every attribute, known or not.
 */
package dev.cairn.engine.schema;
