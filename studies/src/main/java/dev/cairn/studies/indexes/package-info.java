/**
 * Users and the cities they live in: which pattern finds the users of a city? {@link
 * dev.cairn.studies.indexes.IndexPatterns} is the study. Each {@link
 * dev.cairn.studies.indexes.Pattern} is one way to keep an index, written as a program of a user;
 * {@link dev.cairn.studies.indexes.IndexObserver} is a class for the server. docs/designs/
 * index-patterns.md tells when to take which.
 */
package dev.cairn.studies.indexes;
