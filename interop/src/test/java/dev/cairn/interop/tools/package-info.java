/** What Cairn's tools print, held against what Apache's tools print of the same files. */
package dev.cairn.interop.tools;
