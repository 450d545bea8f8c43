# Reads the reports of Surefire (TEST-*.xml). Prints the 30 slowest classes, and each test that failed and passed when it
# was repeated.
function attribute(line, name,    at) {
  at = match(line, " " name "=\"[^\"]*\"")
  return at ? substr(line, at + length(name) + 3, RLENGTH - length(name) - 4) : ""
}
/^ *<testsuite / {
  time = attribute($0, "time")
  gsub(",", "", time)
  seconds[attribute($0, "name")] += time
}
/^ *<testcase / { test = attribute($0, "classname") "." attribute($0, "name") }
/^ *<flaky(Failure|Error)/ { flaky[test] = attribute($0, "type") ": " substr(attribute($0, "message"), 1, 200) }
END {
  print "The 30 slowest classes, in seconds:"
  slowest = "sort -rn | head -n 30"
  for (name in seconds) printf "%8.1f  %s\n", seconds[name], name | slowest
  close(slowest)
  for (name in flaky) {
    if (!found++) print "Passed only when repeated; each needs a line in docs/FLAKES.md:"
    printf "  %s (%s)\n", name, flaky[name]
  }
  if (!found) print "No test passed only when repeated."
}
