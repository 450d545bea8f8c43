package dev.cairn.server.advise;

import java.util.List;

/** Looks for one kind of problem. Stateless. */
interface Check {
  /** Returns what it finds; empty if all is well, or if too little is known. */
  List<Finding> findings(Observation seen);
}
