/**
 * What tables, families and regions are: immutable values, parsed once from the attributes that
 * clients send and that the data folder holds, and kept with every attribute, known or not.
 */
package dev.cairn.engine.schema;
