package dev.cairn.server.advise;

import java.util.List;

/** Looks for one kind of problem. Stateless. */
interface Check {
  /** Returns its findings; empty if all is well, or if there is too little data. */
  List<Finding> findings(Observation seen);
}
