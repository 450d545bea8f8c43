/**
 * The expected answers of the database, computed slowly and one rule after another from plain
 * sorted collections of all writes. Where a crash or an error leaves the outcome open, the model
 * keeps every possibility until an answer decides. Written to be read; of the engine it uses the
 * names of things (cell types, schemas, time ranges), none of its workings.
 */
package dev.cairn.torture.model;
