package dev.cairn.studies.nested;

/**
 * An entry of an account.
 *
 * @param number counts from 1
 */
record Entry(int number, long cents, String text) {}
