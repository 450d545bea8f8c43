/** Pages of the web: the domain as it is, reversed, or hashed. */
package dev.cairn.studies.web;
