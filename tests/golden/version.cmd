$STRANDLINE --version
