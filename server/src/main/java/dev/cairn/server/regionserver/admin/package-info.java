/** The methods of AdminService. */
package dev.cairn.server.regionserver.admin;
