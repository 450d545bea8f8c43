/**
 * The pages of a region server: its regions and what they hold. The pages read what the server
 * counts anyway; without a reader they cost nothing.
 */
package dev.cairn.server.regionserver.page;
