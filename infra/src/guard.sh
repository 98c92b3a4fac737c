# Kills the process groups of a supervisor's children when the supervisor is gone, however it went (kill -9 included).
# The supervisor holds the other end of our standard input and writes "+ pid" when a child starts, "- pid" when it has ended;
# end of input means that the supervisor has ended. The stores are made to survive kill -9, so there is no softer first try.
trap '' INT TERM HUP
pids=' '
while read -r sign pid; do
  case $sign in
    +) pids="$pids$pid " ;;
    -) pids="${pids%%" $pid "*} ${pids#*" $pid "}" ;;
  esac
done
for pid in $pids; do
  kill -9 "-$pid" 2>/dev/null
done
exit 0
