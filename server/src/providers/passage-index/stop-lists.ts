/** Stop words by language. They identify the language of a text but not its subject. */
export const stopWordLists = {
  english: `a about above after again all also am an and any are as at be because been before being below between both but by
can could did do does doing down during each few for from further get had has have having he her here hers him his how i if in
into is it its itself just let many may me might more most much must my no nor not of off on once only or other our ours out over
own please same shall she should so some such tell than that the their theirs them then there these they this those through to too
under until up upon us very was we were what when where whether which while who whom whose why will with would you your yours`,
  german: `aber alle als am an auch auf aus bei bin bis bist da damit das dass dein dem den der des dich die dies diese dieser dir doch
dort du durch ein eine einem einen einer eines er es euch euer für gibt habe haben hat hatte hier ich ihm ihn ihnen ihr ihre im in
ist ja jede jeder kann kein keine können man mein mich mir mit muss müssen nach nicht noch nur ob oder ohne sehr sein seine sich sie
sind so soll über um und uns unser unter viel viele vom von vor wann war waren warum was welche welcher wenn wer werden wie wieviel
wir wird wo zu zum zur`,
  french: `à ai au aux avec avez avons ce ces cet cette combien comme comment dans de des dois doit donc du elle elles en entre est et
été être eux fait il ils je la le les leur leurs lui ma mais me mes moi mon ne nos notre nous on ont ou où par pas peut plus pour
pourquoi qu quand que quel quelle quelles quels qui quoi sa sans se ses si son sont sur ta te tes ton tu un une vos votre vous y`,
  spanish: `a al algo como con cual cuando cuándo cuánto cuántos cuál de del desde donde dónde el él ella ellos en entre era es esa ese
eso esta está están este esto fue ha hay la las le les lo los más me mi mis muy nada no nos o para pero por porque puede puedo que
qué quien quién se ser si sí sin sobre son su sus también te tiene tienen tu un una uno unos y ya yo`,
  italian: `a ad agli ai al alla alle allo anche c che chi ci come con cosa cui da dai dal dalla dalle degli dei del della delle dello di
dove e è ed era fra gli ha hanno ho i il in io la le lei li lo loro lui ma mi mia mio ne nei nel nella nelle noi non o per perché
più può quale quali quando quanti quanto questa questo se sei si sia sono su sua sul sulla suo tra tu un una uno vi voi`,
  portuguese: `a ao aos as até com como da das de dela dele do dos e é ela ele em entre era essa esse está este eu foi há isso já lhe mais
mas me meu minha muito na não nas nem no nos nós o onde os ou para pela pelo pode por porque posso qual quando quantos que quem são se
sem ser seu seus só sua suas também te tem têm um uma você`,
  romanian: `a acest această aceste acestei acestui aceștia al ale am ar are as asupra au avea ca când cât câte câți care cărei căror ce
cea cei cel cele cine cu cum da dacă dar de deci deja despre din după e ea ei el ele era este eu face fi fie fiind fost în între la le li
lor lui mai mele meu mi mod ne ni noi nu o ori pe pentru poate pot prin și sa să sau se si sînt sunt spre sub sunteți te tot toate toți
trebuie tu un una unde unei unor unui va vă voi vor aceştia câţi şi sunteţi toţi`,
  dutch: `aan al als bij dan dat de der deze die dit door een en er geen haar had heb hebben heeft het hier hij hoe hoeveel ik in is je kan
kunnen maar me meer men met mijn moet na naar niet nog nu of om omdat onder ons ook op over te tot u uit van veel voor waar waarom was
wat we welke werd wie wij wordt worden ze zich zij zijn zo zou`,
  swedish: `alla att av blir de dem den denna det detta dig din du efter eller en ett finns för från får ha han har hon hur i inte jag kan man
med mellan men mig min mot mycket många ni när och om oss på sig sin ska som så till under upp ut utan vad var vara vi vid vilka
vilken är`,
  danish: `af alle at blev blive bliver da de dem den denne der deres det dette dig din du efter eller en er et får findes flere for fra før
ham han har havde hende her hos hun hvad hvem hver hvilke hvilken hvis hvor hvordan hvorfor hvornår i igen ikke ind jeg kan kun kunne man
mange med meget mellem men mig min mod når ned nogle og om op os over på sin skal skulle som så til ud uden under var ved vi vil være`,
  norwegian: `alle at av ble bli blir da de dem den denne der deres det dette deg din du etter eller en er et ett får finnes flere for fra før
ham han har hadde henne her hos hun hva hvem hver hvilke hvilken hvis hvor hvordan hvorfor når i igjen ikke inn jeg kan kun kunne man
mange med mye mellom men meg min mot ned noen og om opp oss over på sin skal skulle som så til ut uten under var ved vi vil være`,
  finnish: `ei ennen että eivät ehkä hän he ja joka jos jotka jota joten jonka kaikki kanssa keitä kuin kuinka kuka kun kunkin me mihin
miksi mikä millä millainen milloin minkä minun minä missä mistä mitä mitkä mukaan mutta myös ne niiden niin niitä noin nyt ole olen olet
oli olivat olla on onko ovat saa se sekä sen siihen siinä sitä sinun sinä tai tämä tämän te toinen tulee vai vain voi voiko voin voit`,
  hungarian: `a abban ahhoz ahogy ahol aki akkor alatt általában amely amelyek ami amikor az azok azt bármely be csak de e egy egyes egyik
ekkor el ezt ez ezek előtt és fel felé ha hanem hogy hogyan hol honnan hová hány igen illetve is itt kell kellett között kap ki kik kinek le lehet
legyen lesz maga majd még meg mely melyik mert mi miért mikor milyen minden mint mit mivel most nagyon ne nem nincs ott össze pedig sem
soha szerint több után utána úgy vagy vagyok van vannak volt voltak vele`,
  turkish: `acaba ama ancak bana bazı belki ben beni benim bir birkaç biz bize bizi bizim bu buna bunda bundan bunlar bunu bunun çok çünkü da
daha de değil dolayı en gibi hangi hangisi hem hep her hiç için içinde ile ilgili ise kaç kadar ki kim kime kimin mı mi mu mü nasıl ne neden
nerede nereden nereye neler niçin niye olan olarak oldu olduğu olur o ona onlar onu onun sen sizin siz size sonra şey şu şunlar tarafından
tüm üzere üzerinde var vardır ve veya ya yani yok`,
  russian: `а без был была были было быть в вам вас весь во вот все всех вы где для до его ее если есть еще же за и из или им их к как какая
какие какой когда кто ли мне можно мой мы на над не него нет ни но ну о об он она они от по под почему при с сколько со так также там те
то того тоже только ты у уже чего чем что чтобы эта эти это этот я`,
  ukrainian: `або адже але без би був була були було бути в вам вас ви від він вони вона воно все всі де для до з за же зі і із й його ї їй їм
їх її коли котрий кому куди ми може можна мене мені на над нам нас не нього ні ну о об один під після по при про саме свій себе скільки та
так також там те ти тим то той тому тут у хто це цей ці цього чи чим чого чому що щоб ще як яка який які якого якщо`,
  greek: `αλλά αν αντί από αυτά αυτές αυτή αυτό αυτοί αυτός αυτού αυτών για δε δεν εγώ εδώ είμαι είναι είχε εκεί εμείς ένα ένας εσείς εσύ
έχει έχετε έχουν ή ήταν η θα και κάθε κάποιος κατά κι μας με μετά μέσα μη μην μία μια μου μπορεί μπορείτε μπορώ να ο οι όλα όλες όλοι όπως όπου
όταν ότι όχι πιο ποια ποιες ποιο ποιοι ποιος ποιον πολύ πόσα πόσο πόσοι που πού πρέπει πριν προς πώς πως σας σε στα στη στην στις στο στον στους
τα τη την της τι τις το τον του τους των χωρίς ως ώστε`,
  arabic: `أن أو أي أين إذا إلا إلى إن أنا أنت الآن التي الذي الذين اللذان إما بعد بعض بل بما بها به بين تكون تلك ثم جدا حتى حول حيث خلال دون ذلك سوف
عبر عدة عن عند عندما على عليه عليها غير فقد فقط فهو في فيه فيها قبل قد كان كانت كل كم كما كيف لا لقد لكن لكي لم لما لماذا لن له لها ليس ليست ما
ماذا متى مثل مع مما من منذ منه منها نحن نعم هذا هذه هل هم هنا هناك هو هي و وفي وقد ولا وهو وهي يتم يجب يكون يمكن`,
  hindi: `अगर अथवा अपना अपनी अपने आप आपका आपकी आपके इन इस इसका इसकी इसके इसमें इसे उन उनका उनकी उनके उस उसका उसकी उसके उसे एक एवं और कब कर करता करते
करना करने करें कहाँ का कि कितना कितनी कितने किया किस किसी की कुछ के कैसे को कोई कौन क्या क्यों गया गयी चाहिए जब जहाँ जा जाता जाती जाते जाने जिस
जो तक तथा तब तो था थी थे दिया दो द्वारा न नहीं ने पर परन्तु पास फिर बहुत बाद भी मगर में मैं मेरा यदि यह यहाँ या ये रहा रही रहे लिए लेकिन व वह वहाँ
वाला वाली वाले वे सकता सकते सब सभी साथ से हम हमारा हर ही हुआ हुई हुए हूँ हैं है हो होगा होता होती होते होना`,
  indonesian: `ada adalah agar akan anda antara apa apakah atau bagaimana bagi bahwa banyak beberapa belum berapa bila bisa boleh bukan
dalam dan dapat dari dengan di dia harus hanya hingga ia ini itu jika juga kami kapan karena ke kepada ketika kita lagi lain lebih maka
mana masih mereka mengapa namun oleh pada para saat saja sama sampai sangat satu saya sebagai sebelum sebuah sedang sehingga secara
selama semua seperti serta setelah setiap siapa sudah supaya telah tentang tetapi tidak untuk yaitu yang`,
  vietnamese: `bạn bằng bị các của cũng cho có được đã đang đây để đến đó gì hoặc họ hãy khi không là mà mỗi một này nên nếu nhiều nhưng
những nào phải rằng sao sẽ tại theo thì tôi trên trong trước và vào vẫn về vì với vậy ở`,
} as const
