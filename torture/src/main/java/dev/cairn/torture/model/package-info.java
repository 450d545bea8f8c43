/**
 * What the database has to answer, worked out slowly and one rule after the other from plain sorted
 * collections of all that was written. Where a crash or an error leaves open what happened, the
 * model keeps every possibility until an answer decides. Written to be read; of the engine it uses
 * the names of things (cell types, schemas, time ranges), none of its workings.
 */
package dev.cairn.torture.model;
